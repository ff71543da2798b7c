import type { ExitInfo, Json, RawFrame, WireFrame } from "@claxedo/agent-event-runtime";
import type { AgentSession } from "@earendil-works/pi-coding-agent";
import { messageOf } from "../../base/message-of.ts";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import { FrameQueue } from "../../harness/frame-queue.ts";
import type { PromptRequest } from "../../harness/harness.ts";
import type { HarnessConnection } from "../../harness/harness-connection.ts";
import { abortFrame, type PiCommand, promptFrame, readCommand, refusal, response } from "./commands.ts";
import { eventFrame, received } from "./frames.ts";
import { modelName } from "./models.ts";
import type { ChildMark, OpenedSession } from "./session.ts";

type PromptCommand = Extract<PiCommand, { type: "prompt" }>;

interface WaitingPrompt {
  aborted: boolean;
}

/** A session of pi that runs in this process. */
export class PiConnection implements HarnessConnection {
  readonly nativeSessionId: string;
  readonly resumed: boolean;
  readonly model?: string;
  exit?: ExitInfo;
  readonly #session: AgentSession;
  readonly #mark: ChildMark;
  readonly #queue = new FrameQueue();
  readonly #turns = new Map<string, string>();
  readonly #unsubscribe: readonly (() => void)[];
  #closing: Promise<void> | undefined;
  #aborts = 0;
  #settled = true;
  /** Prompts that pi has been handed and not begun. */
  readonly #waiting = new Set<WaitingPrompt>();
  readonly #runs = new Set<Promise<void>>();

  constructor(opened: OpenedSession, mark: ChildMark) {
    this.#session = opened.session;
    this.#mark = mark;
    this.nativeSessionId = opened.session.sessionId;
    this.resumed = opened.resumed;
    if (opened.session.model) this.model = modelName(opened.session.model);
    this.#unsubscribe = [
      opened.session.subscribe((event) => {
        if (event.type === "agent_settled") this.#settled = true;
        const { frame, bytes } = eventFrame(event, Date.now());
        this.#queue.push(frame, bytes);
      }),
      // The agent waits for this listener: that is how a host that does not read holds it up.
      opened.session.agent.subscribe(() => this.#queue.room()),
    ];
  }

  binding(): Json {
    const { sessionFile = "", sessionId, sessionManager } = this.#session;
    return { sessionFile, sessionId, cursor: sessionManager.getLeafId() };
  }

  prompt(request: PromptRequest): WireFrame {
    this.#turns.set(request.inputId, request.turnId);
    return promptFrame(request, Date.now());
  }

  interrupt(): WireFrame {
    this.#aborts += 1;
    return abortFrame(`abort-${this.#aborts}`, Date.now());
  }

  async write(frame: WireFrame): Promise<void> {
    if (this.#closing || this.exit) throw new AgentRuntimeError("closed", "The connection to pi is closed.");
    const command = readCommand(frame);
    if (command === undefined)
      throw new AgentRuntimeError("invalid-input", "This frame is no command for pi.");
    if (command.type === "abort") void this.#abort(command);
    else this.#prompt(command);
  }

  read(): Promise<readonly RawFrame[] | undefined> {
    return this.#queue.read();
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#end(graceMs);
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close(5000);
  }

  #prompt(command: PromptCommand): void {
    const turnId = this.#turns.get(command.id);
    this.#turns.delete(command.id);
    const run = this.#run(command, turnId).finally(() => this.#runs.delete(run));
    this.#runs.add(run);
  }

  async #run(command: PromptCommand, turnId: string | undefined): Promise<void> {
    const prompt: WaitingPrompt = { aborted: false };
    this.#waiting.add(prompt);
    try {
      await this.#handOver(command.handover);
      await this.#session.prompt(command.message, {
        images: [...command.images],
        source: "rpc",
        preflightResult: (disposition) => {
          this.#waiting.delete(prompt);
          this.#answer(response(command, { disposition }));
          if (disposition === "started") this.#begin(turnId, prompt.aborted);
        },
      });
    } catch (error) {
      if (this.#waiting.has(prompt)) this.#answer(refusal(command, error));
      else if (!this.#settled) this.#fail(error);
    } finally {
      this.#waiting.delete(prompt);
    }
  }

  /** A message of its own, which pi keeps in its session and shows to the model alone. */
  async #handOver(content: string | undefined): Promise<void> {
    if (content === undefined) return;
    await this.#session.sendCustomMessage({ customType: "claxedo.handover", content, display: false });
  }

  #begin(turnId: string | undefined, aborted: boolean): void {
    this.#settled = false;
    this.#mark.turn = turnId;
    if (aborted) void this.#session.abort();
  }

  /** pi forgets an abort that comes while it still prepares a prompt: it is repeated once the run is there. */
  async #abort(command: PiCommand): Promise<void> {
    for (const prompt of this.#waiting) prompt.aborted = true;
    try {
      await this.#session.abort();
      this.#answer(response(command));
    } catch (error) {
      this.#answer(refusal(command, error));
    }
  }

  #answer(payload: unknown): void {
    this.#queue.push(received(payload, Date.now()), 256);
  }

  /** A run that ends without telling so: nothing can be expected from this session any more. */
  #fail(error: unknown): void {
    this.exit = { message: messageOf(error) };
    void this.close(0);
  }

  async #end(graceMs: number): Promise<void> {
    this.#queue.unbound();
    await within(graceMs, Promise.allSettled([this.#session.abort(), ...this.#runs]));
    try {
      for (const unsubscribe of this.#unsubscribe) unsubscribe();
      this.#session.dispose();
    } catch (error) {
      this.exit ??= { message: messageOf(error) };
    }
    this.#queue.end();
  }
}

/** Waits for something, but no longer than that. */
async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
