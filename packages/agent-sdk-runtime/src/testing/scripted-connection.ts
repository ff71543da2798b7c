import type { ExitInfo, InputPart, Json, RawFrame, WireFrame } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import { FrameQueue } from "../harness/frame-queue.ts";
import type { ConnectRequest, PromptRequest } from "../harness/harness.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";

/** What a test may look at and decide. */
export interface ScriptedStage {
  /** Prompts that reached the harness, in order. */
  readonly prompts: string[];
  /** Connections opened so far. */
  connections: number;
  /** Set to make the next starts fail or take long. An offer is asked for without a session. */
  connect?: (request: Partial<ConnectRequest>) => Promise<void>;
  /** Set to make writes fail, with this reason. */
  failWrites?: string;
}

type Behaviour = (connection: ScriptedConnection, text: string) => void;

const BEHAVIOURS: ReadonlyMap<string, Behaviour> = new Map<string, Behaviour>([
  ["answer", (connection, text) => connection.run(text.slice("answer ".length))],
  ["flood", (connection, text) => connection.flood(Number(text.split(" ")[1]))],
  ["never", (connection) => connection.start()],
  ["stubborn", (connection) => connection.start({ obeys: false })],
  ["tool", (connection) => connection.tool()],
  ["refuse", (connection) => connection.respond({ success: false, error: "not now" })],
  ["handled", (connection) => connection.respond({ success: true, data: { disposition: "handled" } })],
  ["crash", (connection) => connection.crash()],
  ["garbage", (connection) => connection.garbage()],
]);

/** One start of the scripted harness. */
export class ScriptedConnection implements HarnessConnection {
  readonly resumed = false;
  exit?: ExitInfo;
  readonly #stage: ScriptedStage;
  readonly #queue = new FrameQueue();
  #running = false;
  #obeys = true;
  #over = false;
  #echo = "";
  #promptId = "";

  constructor(stage: ScriptedStage) {
    this.#stage = stage;
  }

  binding(): Json {
    return { prompts: this.#stage.prompts.length };
  }

  prompt({ inputId, parts, handover }: PromptRequest): WireFrame {
    const text = textOf(parts);
    const message = handover === undefined ? text : `${handover}\n\n${text}`;
    const note = { inputId, ...(handover !== undefined && { parts }) };
    return {
      dir: "sent",
      channel: "",
      payload: { id: inputId, type: "prompt", message },
      at: Date.now(),
      note,
    };
  }

  interrupt(): WireFrame {
    return { dir: "sent", channel: "", payload: { type: "abort" }, at: Date.now() };
  }

  async write({ payload, note }: WireFrame): Promise<void> {
    if (this.#over) throw new AgentRuntimeError("closed", "The scripted harness has ended.");
    const { id = "", type, message = "" } = payload as { id?: string; type: string; message?: string };
    if (type === "abort") {
      if (this.#obeys && this.#running) this.#end("aborted");
      return;
    }
    if (this.#stage.failWrites !== undefined) throw new Error(this.#stage.failWrites);
    this.#stage.prompts.push(message);
    this.#promptId = id;
    this.#echo = message;
    // It does what the user says, not what was handed over before that.
    const text = note?.parts === undefined ? message : textOf(note.parts);
    BEHAVIOURS.get(text.split(" ")[0] ?? "")?.(this, text);
  }

  read(): Promise<readonly RawFrame[] | undefined> {
    return this.#queue.read();
  }

  async close(): Promise<void> {
    this.#over = true;
    this.#queue.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Answers the prompt itself, before any run. */
  respond(result: { readonly success: boolean; readonly error?: string; readonly data?: Json }): void {
    this.#receive({ type: "response", id: this.#promptId, command: "prompt", ...result });
  }

  /** Starts a run. */
  start({ obeys = true }: { readonly obeys?: boolean } = {}): void {
    this.#running = true;
    this.#obeys = obeys;
    this.respond({ success: true, data: { disposition: "started" } });
    this.#receive({ type: "agent_start" });
    const message = { role: "user", content: [{ type: "text", text: this.#echo }] };
    this.#receive({ type: "message_start", message });
    this.#receive({ type: "message_end", message });
  }

  /** Runs to its end with an answer. */
  run(text: string): void {
    this.start();
    this.#say(text, "stop");
    this.#end("stop");
  }

  /** Runs to its end with an answer that comes in so many pieces. */
  flood(pieces: number): void {
    this.start();
    const words = Array.from({ length: pieces }, (_, index) => `${index} `);
    this.#receive({ type: "message_start", message: { role: "assistant", content: [] } });
    this.#update({ type: "text_start" });
    for (const delta of words) this.#update({ type: "text_delta", delta });
    const content = [{ type: "text", text: words.join("") }];
    const usage = { input: 10, output: pieces, totalTokens: 10 + pieces };
    this.#receive({
      type: "message_end",
      message: { role: "assistant", content, stopReason: "stop", usage },
    });
    this.#end("stop");
  }

  /** Starts a run with a tool that does not end. */
  tool(): void {
    this.start();
    const args = { command: "sleep 9" };
    this.#receive({ type: "tool_execution_start", toolCallId: "t1", toolName: "bash", args });
  }

  /** Dies in the middle of a run. */
  crash(): void {
    this.start();
    this.exit = { code: 1, message: "the agent fell over" };
    void this.close();
  }

  /** Writes half a line and a kind that nobody knows, then answers. */
  garbage(): void {
    this.#queue.push({ kind: "broken", text: "{half", bytes: 5, reason: "not JSON", at: Date.now() }, 5);
    this.#receive({ type: "no_such_event", odd: [1, 2] });
    this.run("still here");
  }

  #say(text: string, stopReason: string): void {
    const usage = { input: 1, output: 2, totalTokens: 3 };
    const message = { role: "assistant", content: [{ type: "text", text }], stopReason, usage };
    this.#receive({ type: "message_start", message: { role: "assistant", content: [] } });
    this.#receive({ type: "message_end", message });
  }

  #end(stopReason: "stop" | "aborted"): void {
    if (stopReason === "aborted") this.#say("", "aborted");
    this.#running = false;
    this.#receive({ type: "agent_end", messages: [], willRetry: false });
    this.#receive({ type: "agent_settled", aborted: stopReason === "aborted" });
  }

  #update(event: Readonly<Record<string, Json>>): void {
    this.#receive({ type: "message_update", assistantMessageEvent: { contentIndex: 0, ...event } });
  }

  #receive(payload: Json): void {
    this.#queue.push({ dir: "received", channel: "", payload, at: Date.now() }, 64);
  }
}

/** The words of an input. */
export function textOf(parts: readonly InputPart[]): string {
  return parts.map((part) => (part.type === "image" ? "" : part.text)).join("");
}
