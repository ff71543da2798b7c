// A harness inside this process that speaks pi's dialect: it does what the measurement tells it to.
import { piAdapter } from "@claxedo/agent-event-runtime";
import { prompt } from "./pi-frames.mjs";

/** @typedef {import("@claxedo/agent-event-runtime").Json} Json */
/** @typedef {import("@claxedo/agent-event-runtime").RawFrame} RawFrame */
/** @typedef {import("@claxedo/agent-event-runtime").WireFrame} WireFrame */
/** @typedef {import("@claxedo/agent-sdk-runtime").Harness} Harness */
/** @typedef {import("@claxedo/agent-sdk-runtime").HarnessConnection} HarnessConnection */
/** @typedef {import("@claxedo/agent-sdk-runtime").PromptRequest} PromptRequest */

/**
 * What to do with a prompt that has arrived.
 * @callback OnPrompt
 * @param {PiConnection} connection
 * @param {{ readonly id: string, readonly message: string }} prompt
 * @returns {void}
 */

/** @param {OnPrompt} onPrompt @returns {Harness} */
export function piHarness(onPrompt) {
  return {
    id: "pi",
    access: ["native"],
    capabilities: {
      permissions: false,
      questions: false,
      offer: false,
      configure: false,
      tasks: false,
      steer: false,
      resume: false,
      history: false,
    },
    adapter: piAdapter,
    health: async () => ({ ok: true }),
    history: async () => [],
    connect: async () => new PiConnection(onPrompt),
  };
}

/**
 * A connection that hands over what `deliver` was given, one delivery a read: so the measurement decides
 * what is one commit.
 * @implements {HarnessConnection}
 */
class PiConnection {
  resumed = false;
  /** Called when the host asks for frames: what came before is committed then. @type {(() => void) | undefined} */
  onRead;
  /** @type {OnPrompt} */
  #onPrompt;
  /** @type {(readonly RawFrame[])[]} */
  #deliveries = [];
  /** @type {(() => void) | undefined} */
  #wake;
  #over = false;

  /** @param {OnPrompt} onPrompt */
  constructor(onPrompt) {
    this.#onPrompt = onPrompt;
  }

  /** Frames for the host. @param {readonly Json[]} payloads */
  deliver(payloads) {
    const at = Date.now();
    this.#deliveries.push(payloads.map((payload) => ({ dir: "received", channel: "", payload, at })));
    this.#wake?.();
  }

  /** Frames for the host, as framing made them. @param {readonly RawFrame[]} frames */
  deliverFrames(frames) {
    this.#deliveries.push(frames);
    this.#wake?.();
  }

  binding() {
    return null;
  }

  /** @param {PromptRequest} request @returns {WireFrame} */
  prompt({ inputId, parts }) {
    const message = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    return { dir: "sent", channel: "", payload: prompt(inputId, message), at: Date.now(), note: { inputId } };
  }

  /** @returns {WireFrame} */
  interrupt() {
    return { dir: "sent", channel: "", payload: { type: "abort" }, at: Date.now() };
  }

  /** @param {WireFrame} frame */
  async write(frame) {
    const payload = /** @type {{ id: string, type: string, message: string }} */ (frame.payload);
    if (payload.type === "prompt") this.#onPrompt(this, payload);
  }

  /** @returns {Promise<readonly RawFrame[] | undefined>} */
  async read() {
    this.onRead?.();
    while (this.#deliveries.length === 0) {
      if (this.#over) return undefined;
      await new Promise((resolve) => {
        this.#wake = () => resolve(undefined);
      });
    }
    return this.#deliveries.shift();
  }

  async close() {
    this.#over = true;
    this.#wake?.();
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }
}
