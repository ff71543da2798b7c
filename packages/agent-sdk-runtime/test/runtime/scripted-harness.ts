import { piAdapter, type ExitInfo, type Json, type RawFrame, type WireFrame } from "@claxedo/agent-event-runtime";
import type { ConnectRequest, Harness, HarnessConnection, PromptRequest } from "@claxedo/agent-sdk-runtime";

/** How the scripted harness behaves when it is prompted; the word is the prompt's first. */
type Behaviour = (connection: ScriptedConnection, text: string) => void | Promise<void>;

/** What a test may look at and decide. */
export interface Stage {
  /** Prompts that reached the harness, in order. */
  readonly prompts: string[];
  /** Connections opened so far. */
  connections: number;
  /** Set to make the next starts fail or take long. */
  connect?: () => Promise<void>;
  /** Set to make writes fail. */
  failWrites?: string;
}

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  answer: (connection, text) => connection.run(text.slice("answer ".length), "stop"),
  flood: (connection, text) => connection.flood(Number(text.split(" ")[1])),
  never: (connection) => connection.start(),
  stubborn: (connection) => {
    connection.obeys = false;
    connection.start();
  },
  tool: (connection) => {
    connection.start();
    connection.receive({ type: "tool_execution_start", toolCallId: "t1", toolName: "bash", args: { command: "sleep 9" } });
  },
  refuse: (connection) => connection.answer({ success: false, error: "not now" }),
  handled: (connection) => connection.answer({ success: true, data: { disposition: "handled" } }),
  crash: (connection) => {
    connection.start();
    connection.die({ code: 1, message: "the agent fell over" });
  },
  garbage: (connection) => {
    connection.deliver({ kind: "broken", text: "{half", bytes: 5, reason: "no JSON", at: Date.now() });
    connection.receive({ type: "no_such_event", odd: [1, 2] });
    connection.run("still here", "stop");
  },
};

/** A realization of the harness contract that speaks pi's dialect and does what the prompt says. */
export function scriptedHarness(id = "pi"): Harness & { readonly stage: Stage } {
  const stage: Stage = { prompts: [], connections: 0 };
  return {
    id,
    access: ["native"],
    capabilities: { permissions: false, steer: false, resume: false, history: false },
    adapter: piAdapter,
    stage,
    health: async () => ({ ok: true }),
    history: async () => [],
    connect: async (request) => {
      await stage.connect?.();
      stage.connections += 1;
      return new ScriptedConnection(stage, request);
    },
  };
}

class ScriptedConnection implements HarnessConnection {
  readonly resumed = false;
  obeys = true;
  exit?: ExitInfo;
  readonly #stage: Stage;
  readonly #frames: RawFrame[] = [];
  #wake: (() => void) | undefined;
  #over = false;
  #running = false;
  #echo = "";
  #promptId = "";

  constructor(stage: Stage, _request: ConnectRequest) {
    this.#stage = stage;
  }

  binding(): Json {
    return { prompts: this.#stage.prompts.length };
  }

  prompt({ inputId, parts }: PromptRequest): WireFrame {
    const message = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    const payload = { id: inputId, type: "prompt", message };
    return { dir: "sent", channel: "", payload, at: Date.now(), note: { inputId } };
  }

  interrupt(): WireFrame {
    return { dir: "sent", channel: "", payload: { type: "abort" }, at: Date.now() };
  }

  async write(frame: WireFrame): Promise<void> {
    const { id, type, message } = frame.payload as { id?: string; type: string; message?: string };
    if (type === "abort") {
      if (this.obeys && this.#running) this.end("aborted");
      return;
    }
    if (this.#stage.failWrites !== undefined) throw new Error(this.#stage.failWrites);
    const text = message ?? "";
    this.#stage.prompts.push(text);
    this.#promptId = id ?? "";
    this.#echo = text;
    await BEHAVIOURS[text.split(" ")[0] ?? ""]?.(this, text);
  }


  async read(): Promise<readonly RawFrame[] | undefined> {
    while (this.#frames.length === 0) {
      if (this.#over) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#frames.splice(0);
  }

  async close(): Promise<void> {
    this.die();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  deliver(frame: RawFrame): void {
    if (this.#over) return;
    this.#frames.push(frame);
    this.#wake?.();
  }

  receive(payload: Json): void {
    this.deliver({ dir: "received", channel: "", payload, at: Date.now() });
  }

  answer(result: { readonly success: boolean; readonly error?: string; readonly data?: Json }): void {
    this.receive({ type: "response", id: this.#promptId, command: "prompt", ...result });
  }

  start(): void {
    this.#running = true;
    this.answer({ success: true, data: { disposition: "started" } });
    this.receive({ type: "agent_start" });
    const message = { role: "user", content: [{ type: "text", text: this.#echo }] };
    this.receive({ type: "message_start", message });
    this.receive({ type: "message_end", message });
  }

  run(text: string, stopReason: string): void {
    this.start();
    this.say(text, stopReason);
    this.end(stopReason);
  }

  say(text: string, stopReason: string): void {
    const message = { role: "assistant", content: [{ type: "text", text }], stopReason, usage: { input: 1, output: 2, totalTokens: 3 } };
    this.receive({ type: "message_start", message: { role: "assistant", content: [] } });
    this.receive({ type: "message_end", message });
  }

  end(stopReason: string): void {
    if (stopReason === "aborted") this.say("", "aborted");
    this.#running = false;
    this.receive({ type: "agent_end", messages: [], willRetry: false });
    this.receive({ type: "agent_settled", aborted: stopReason === "aborted" });
  }

  flood(deltas: number): void {
    this.start();
    this.receive({ type: "message_start", message: { role: "assistant", content: [] } });
    this.receive({ type: "message_update", assistantMessageEvent: { type: "text_start", contentIndex: 0 } });
    for (let index = 0; index < deltas; index++) {
      this.receive({ type: "message_update", assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: `${index} ` } });
    }
    const usage = { input: 10, output: deltas, totalTokens: 10 + deltas };
    this.receive({ type: "message_end", message: { role: "assistant", content: [{ type: "text", text: "all" }], stopReason: "stop", usage } });
    this.end("stop");
  }

  die(exit?: ExitInfo): void {
    if (exit !== undefined) this.exit = exit;
    this.#over = true;
    this.#wake?.();
  }
}
