import type { ExitInfo, Json, RawFrame, WireFrame } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import { FrameQueue } from "../harness/frame-queue.ts";
import type { AskAnswer, ConnectRequest, HarnessOffer, PromptRequest } from "../harness/harness.ts";
import type { HarnessConnection, HarnessSettings } from "../harness/harness-connection.ts";
import { answerFrame, controlFrame, promptFrame } from "./scripted-claude-frames.ts";
import { controlResponse, type Line, offer } from "./scripted-claude-lines.ts";
import { ScriptedClaudeProgram } from "./scripted-claude-program.ts";
import { type ScriptedStage, textOf } from "./scripted-connection.ts";

/** What a test may look at and decide. */
export interface ScriptedClaudeStage extends ScriptedStage {
  /** What the host answered to requests, as it was written. */
  readonly answers: Json[];
  /** What the connections were asked for, in order. */
  readonly requests: ConnectRequest[];
  /** Names of the sessions that there are to be resumed. */
  readonly sessions: string[];
  /** How often its offer was asked of a program of its own. */
  offers: number;
  /** Set to make it refuse other settings, with this reason; `""`: it does not answer. */
  refuse?: string;
}

/** A line that the host writes. */
interface Written {
  readonly type: "user" | "control_request" | "control_response";
  readonly uuid: string;
  readonly message: { readonly content: string | readonly { readonly text?: string }[] };
  readonly request_id: string;
  readonly response: { readonly request_id: string; readonly response: Line };
}

/** One start of the scripted CLI. */
export class ScriptedClaudeConnection implements HarnessConnection {
  readonly resumed: boolean;
  exit?: ExitInfo;
  readonly #stage: ScriptedClaudeStage;
  readonly #program: ScriptedClaudeProgram;
  readonly #queue = new FrameQueue();
  #over = false;
  #requests = 0;

  constructor(stage: ScriptedClaudeStage, request: ConnectRequest, session: string | undefined) {
    this.#stage = stage;
    this.resumed = session !== undefined;
    const host = {
      name: String(stage.connections),
      newSession: () => `scripted-${stage.sessions.push(`scripted-${stage.sessions.length + 1}`)}`,
      said: (line: Line) => this.#receive(line),
      babbled: (text: string) =>
        this.#queue.push({ kind: "broken", text, bytes: text.length, reason: "not JSON", at: Date.now() }, 8),
      died: () => {
        this.exit = { code: 1, message: "the CLI fell over" };
        void this.close();
      },
    };
    this.#program = new ScriptedClaudeProgram(host, {
      ...(session === undefined ? undefined : { session }),
      model: request.model ?? offer.models[0].id,
      mode: request.mode ?? offer.modes[0].id,
    });
  }

  get nativeSessionId(): string {
    return this.#program.sessionId;
  }
  get model(): string {
    return this.#program.model;
  }

  binding(): Json {
    return { sessionId: this.#program.sessionId };
  }
  prompt(request: PromptRequest): WireFrame {
    return promptFrame(request);
  }
  interrupt(): WireFrame {
    return controlFrame(this.#requestId(), { subtype: "interrupt", cancel_queued: true });
  }
  answer(answer: AskAnswer): WireFrame {
    return answerFrame(answer);
  }
  async offer(): Promise<HarnessOffer> {
    return offer;
  }

  async configure({ model, mode }: HarnessSettings): Promise<void> {
    if (model !== undefined) {
      await this.#change({ subtype: "set_model", model }, model, "model-unknown");
      this.#program.model = model;
    }
    if (mode === undefined) return;
    await this.#change({ subtype: "set_permission_mode", mode }, mode, "invalid-input");
    this.#program.mode = mode;
  }

  async stopTask(taskId: string): Promise<void> {
    this.#receive(controlResponse(this.#control({ subtype: "stop_task", task_id: taskId }), {}));
    this.#program.endTask(taskId, "stopped");
  }

  async write({ payload, note }: WireFrame): Promise<void> {
    if (this.#over) throw new AgentRuntimeError("closed", "The scripted CLI has ended.");
    const line = payload as Written;
    if (line.type === "control_request") return this.#program.interrupted(line.request_id);
    if (this.#stage.failWrites !== undefined) throw new Error(this.#stage.failWrites);
    if (line.type === "control_response") {
      const { request_id, response } = line.response;
      this.#stage.answers.push(response);
      return this.#program.answered(request_id, response);
    }
    const { content } = line.message;
    const text = typeof content === "string" ? content : content.map((block) => block.text ?? "").join("");
    this.#stage.prompts.push(text);
    // It does what the user says, not what was handed over before that.
    this.#program.take(line.uuid, note?.parts === undefined ? text : textOf(note.parts));
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

  async #change(request: Line, wanted: string, code: "model-unknown" | "invalid-input"): Promise<void> {
    const { refuse } = this.#stage;
    const requestId = this.#control(request);
    if (refuse === "") return new Promise(() => undefined);
    const known = [...offer.models, ...offer.modes].some(({ id }) => id === wanted);
    const reason = refuse ?? (known ? undefined : `There is no ${wanted}.`);
    this.#receive(controlResponse(requestId, {}, reason));
    if (reason !== undefined) throw new AgentRuntimeError(code, reason);
  }

  /** A request that the connection makes by itself: read like any frame. */
  #control(request: Line): string {
    const requestId = this.#requestId();
    this.#queue.push(controlFrame(requestId, request), 256);
    return requestId;
  }

  #receive(payload: Line): void {
    this.#queue.push({ dir: "received", channel: "", payload, at: Date.now() }, 256);
  }

  #requestId(): string {
    this.#requests += 1;
    return `req_${this.#stage.connections}_${this.#requests}`;
  }
}
