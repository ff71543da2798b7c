import { randomUUID } from "node:crypto";
import type { ExitInfo, FrameNote, Json, RawFrame, WireFrame } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { AskAnswer, HarnessOffer, PromptRequest } from "../../harness/harness.ts";
import type { HarnessConnection, HarnessSettings } from "../../harness/harness-connection.ts";
import { inputLine, isUuid, type SentLine } from "../../live/input.ts";
import type { LiveSession } from "../../live/live-session.ts";
import type { LiveEnd } from "../../live/live-state.ts";
import { answerLine } from "./answers.ts";
import type { ClaudeBinding } from "./binding.ts";
import { hostError, isTimeout } from "./errors.ts";
import { offerOf } from "./offer.ts";
import { tellQuiet } from "./quiet.ts";
import { configure } from "./settings.ts";
import type { TappedFrames } from "./tapped-frames.ts";
import type { Transcripts, TranscriptPlace } from "./transcript.ts";

/** What a connection is made of. */
export interface OpenedSession {
  readonly session: LiveSession;
  readonly frames: TappedFrames;
  /** The id that the session was started or resumed with. */
  readonly sessionId: string;
  readonly resumed: boolean;
  readonly model?: string | undefined;
  readonly place: TranscriptPlace;
  readonly transcripts: Transcripts;
}

/** A long-lived CLI process. */
export class ClaudeConnection implements HarnessConnection {
  readonly resumed: boolean;
  readonly model: string | undefined;
  exit?: ExitInfo;
  readonly #opened: OpenedSession;
  readonly #over: Promise<void>;
  /** The session that the last prompt was made for. */
  #prompted: string;

  constructor(opened: OpenedSession) {
    this.#opened = opened;
    this.#prompted = opened.sessionId;
    this.resumed = opened.resumed;
    this.model = opened.model;
    this.#over = opened.session.terminated.then((end) => this.#end(end));
    void tellQuiet(opened.session, (frame) => opened.frames.queue.push(frame, 0));
  }

  /** Another one after a `/clear`. */
  get nativeSessionId(): string {
    const { session, sessionId } = this.#opened;
    const named = session.state.sessionId;
    return named !== undefined && isUuid(named) ? named : sessionId;
  }

  binding(): Json {
    const { place, transcripts } = this.#opened;
    const sessionId = this.nativeSessionId;
    // All of a transcript that was begun after the prompt counts.
    const cursor = sessionId === this.#prompted ? transcripts.size(sessionId) : 0;
    return { sessionId, ...place, cursor } satisfies ClaudeBinding;
  }

  prompt({ parts, inputId, handover }: PromptRequest): WireFrame {
    this.#prompted = this.nativeSessionId;
    const before = handover === undefined ? [] : [{ type: "text", text: handover } as const];
    const line = inputLine([...before, ...parts], { uuid: randomUUID() });
    return this.#frame(line, { inputId, ...(handover !== undefined && { parts }) });
  }

  interrupt(): WireFrame {
    // What waits behind the running turn was asked for by the same host, and would run afterwards.
    const request = { subtype: "interrupt", cancel_queued: true };
    return this.#frame({ type: "control_request", request_id: `interrupt_${randomUUID()}`, request });
  }

  answer(answer: AskAnswer): WireFrame {
    const { requestId, by } = answer;
    const scope = answer.answer.kind === "permission" ? { scope: answer.answer.option.scope } : undefined;
    return this.#frame(answerLine(answer), { requestId, by, ...scope });
  }

  async offer(): Promise<HarnessOffer> {
    return offerOf(this.#opened.session.initialized);
  }

  configure(change: HarnessSettings): Promise<void> {
    return configure(this.#opened.session, change);
  }

  async stopTask(taskId: string): Promise<void> {
    await this.#opened.session.stopTask(taskId).catch((error: unknown) => {
      throw hostError(error);
    });
  }

  async write(frame: WireFrame): Promise<void> {
    const { session, frames } = this.#opened;
    if (!frames.isCommitted(frame.payload))
      throw new AgentRuntimeError("invalid-input", "This frame was not made by this connection.");
    try {
      await session.write(frame.payload);
    } catch (error) {
      // The CLI would get the line later, when it has been told as lost.
      if (isTimeout(error)) void this.close(0);
      throw hostError(error);
    }
  }

  read(): Promise<readonly RawFrame[] | undefined> {
    return this.#opened.frames.queue.read();
  }

  async close(graceMs: number): Promise<void> {
    this.#opened.frames.queue.unbound();
    await this.#opened.session.close(graceMs);
    await this.#over;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close(5000);
  }

  #frame(payload: SentLine, note?: FrameNote): WireFrame {
    this.#opened.frames.commit(payload);
    return {
      dir: "sent",
      channel: "",
      payload,
      at: Date.now(),
      ...(note === undefined ? undefined : { note }),
    };
  }

  #end(end: LiveEnd): void {
    const exit = exitOf(end);
    if (exit !== undefined) this.exit = exit;
    this.#opened.frames.queue.end();
  }
}

function exitOf({ code, signal, error }: LiveEnd): ExitInfo | undefined {
  const message = error.fault.kind === "closed" ? undefined : error.message;
  if (code === null && signal === null && message === undefined) return undefined;
  return {
    ...(code === null ? undefined : { code }),
    ...(signal === null ? undefined : { signal }),
    ...(message === undefined ? undefined : { message }),
  };
}
