import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import {
  createNdjsonDecoder,
  type ExitInfo,
  type Json,
  type RawFrame,
  type WireFrame,
} from "@claxedo/agent-event-runtime";
import {
  AgentRuntimeError,
  type ConnectRequest,
  FrameQueue,
  type Harness,
  type HarnessConnection,
  type PromptRequest,
} from "@claxedo/agent-sdk-runtime";
import { shoutAdapter } from "./shout-adapter.ts";

/** The toy agent, as a program in this file. */
export function shout(program: string): Harness {
  return {
    id: "shout",
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
    adapter: shoutAdapter,
    health: async () =>
      existsSync(program) ? { ok: true } : { ok: false, message: `There is no ${program}: put it there.` },
    history: async () => [],
    async connect(request) {
      if (!statSync(request.directory, { throwIfNoEntry: false })?.isDirectory())
        throw new AgentRuntimeError(
          "directory-missing",
          `There is no directory ${request.directory}: make it.`,
        );
      const connection = new ShoutConnection(program, request);
      await connection.started;
      if (!request.signal.aborted) return connection;
      await connection.close(0);
      throw new AgentRuntimeError("closed", "The agent started too late: nobody waits for it any more.");
    },
  };
}

class ShoutConnection implements HarnessConnection {
  readonly resumed = false;
  readonly started: Promise<void>;
  exit?: ExitInfo;
  readonly #child: ChildProcess;
  readonly #queue = new FrameQueue();
  readonly #gone: Promise<void>;
  #closing = false;

  constructor(program: string, { directory, owner }: ConnectRequest) {
    // The mark is how processes are found whose host was killed.
    const env = { PATH: process.env["PATH"], CLAXEDO_OWNER: owner };
    const child = spawn(process.execPath, [program], {
      cwd: directory,
      env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#child = child;
    this.started = new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) =>
        reject(new AgentRuntimeError("harness-failed", `The agent did not start: ${error.message}`)),
      );
    });
    this.#gone = new Promise((resolve) => child.once("close", () => resolve()));
    child.stdin?.on("error", () => undefined); // told by the callback of `write`
    this.#pump().catch(() => child.kill("SIGKILL"));
  }

  binding(): Json {
    return null; // nothing to resume from
  }

  prompt({ inputId, parts, handover }: PromptRequest): WireFrame {
    const text = parts.map((part) => (part.type === "image" ? "" : part.text)).join("");
    return {
      dir: "sent",
      channel: "",
      payload: { prompt: inputId, text, ...(handover !== undefined && { before: handover }) },
      at: Date.now(),
      note: { inputId },
    };
  }

  interrupt(): WireFrame {
    return { dir: "sent", channel: "", payload: { stop: true }, at: Date.now() };
  }

  async write({ payload }: WireFrame): Promise<void> {
    if (this.#closing || this.exit !== undefined)
      throw new AgentRuntimeError("closed", "The agent has ended.");
    await new Promise<void>((resolve, reject) => {
      this.#child.stdin?.write(`${JSON.stringify(payload)}\n`, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  read(): Promise<readonly RawFrame[] | undefined> {
    return this.#queue.read();
  }

  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    this.#queue.unbound(); // whoever closes may not read any more
    this.#child.kill("SIGTERM");
    const kill = setTimeout(() => this.#child.kill("SIGKILL"), graceMs);
    await this.#gone;
    clearTimeout(kill);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close(1_000);
  }

  /** Takes from the pipe what there is room for: a host that does not read holds the agent up. */
  async #pump(): Promise<void> {
    const decoder = createNdjsonDecoder();
    for await (const chunk of this.#child.stdout as AsyncIterable<Uint8Array>) {
      for (const frame of decoder.push(chunk, Date.now())) this.#queue.push(frame, chunk.length);
      await this.#queue.room();
    }
    for (const frame of decoder.end(Date.now())) this.#queue.push(frame, 0);
    await this.#gone;
    const { exitCode, signalCode } = this.#child;
    this.exit = exitCode === null ? { signal: signalCode ?? "unknown" } : { code: exitCode };
    this.#queue.end();
  }
}
