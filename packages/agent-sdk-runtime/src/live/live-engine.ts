import type { NdjsonFault, NdjsonFrame } from "@claxedo/agent-event-runtime";
import { settlesWithin } from "../base/deadline.ts";
import { Watchable } from "../base/watchable.ts";
import { CLIError } from "./cli-error.ts";
import { ControlRequests } from "./control-requests.ts";
import { HostRequests } from "./host-requests.ts";
import type { ControlBody, SentLine } from "./input.ts";
import { ended, initialLiveState, type LiveState, received, receivedUnparsed, sent } from "./live-state.ts";
import { LiveWire } from "./live-wire.ts";
import { MessageHub } from "./message-hub.ts";
import { type LiveMessage, readMessage } from "./messages.ts";
import type { LiveSessionOptions } from "./options.ts";
import type { ClaudeProcess, ProcessEnd } from "./process/claude-process.ts";
import { readStrayLine } from "./stray-line.ts";
import { TranscriptMirror } from "./transcript-mirror.ts";

/** For a CLI that has closed its output to end. */
const OUTPUT_ENDED_MS = 5000;

/** What drives a session: one process, one reader, one writer, and the state that they move. */
export class LiveEngine {
  readonly process: ClaudeProcess;
  readonly state: Watchable<LiveState> = new Watchable(initialLiveState);
  readonly hub: MessageHub<LiveMessage>;
  /** Resolves when the end stands in the state. */
  readonly over: Promise<LiveState>;
  /** The CLI's answer to `initialize`. */
  initialized: unknown;
  readonly #options: LiveSessionOptions;
  readonly #wire: LiveWire;
  readonly #controls: ControlRequests;
  readonly #requests: HostRequests;
  readonly #mirror: TranscriptMirror | undefined;
  readonly #reading: Promise<void>;
  /** Why nothing can be sent any more. */
  #refusal: CLIError | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: LiveSessionOptions, process: ClaudeProcess) {
    this.#options = options;
    this.process = process;
    this.hub = new MessageHub({
      buffer: options.eventsBuffer ?? 1000,
      onDrop: (count) => this.#update((state) => ({ ...state, droppedEvents: state.droppedEvents + count })),
    });
    this.#wire = new LiveWire({
      process,
      tap: options.tap,
      writeTimeoutMs: this.#controlMs,
      onReceived: (frame) => this.#take(frame),
      onSent: (line) => this.#update((state) => sent(state, line)),
      onFault: (error) => void this.close(error),
      endError: (waitMs) => this.#endError(waitMs),
    });
    this.#controls = new ControlRequests((line) => this.write(line));
    this.#requests = new HostRequests({
      ...options,
      write: (response) => this.write({ type: "control_response", response }),
    });
    this.#mirror = options.archive === undefined ? undefined : new TranscriptMirror(options, options.archive);
    this.over = this.state.until((state) => state.end !== undefined);
    this.#reading = this.#read();
  }

  /** Waits for the CLI's first word. */
  async initialize(): Promise<void> {
    const request = { subtype: "initialize", ...this.#requests.registration };
    this.initialized = await this.#controls.ask(request, this.#options.startTimeoutMs ?? 60_000);
  }

  /** Asks the CLI for something, and gives its answer. */
  ask(request: ControlBody, timeoutMs: number = this.#controlMs): Promise<unknown> {
    return this.#controls.ask(request, timeoutMs);
  }

  /** Writes a line, after checking it. */
  async write(line: SentLine): Promise<void> {
    if (this.#refusal !== undefined) throw this.#refusal;
    await this.#wire.write(line);
  }

  /** Ends everything, once; who still waits is told the reason of the first call, whose limit holds. */
  close(reason: CLIError, limitMs: number = this.#options.closeTimeoutMs ?? 10_000): Promise<void> {
    this.#closing ??= this.#close(reason, limitMs);
    return this.#closing;
  }

  get #controlMs(): number {
    return this.#options.controlTimeoutMs ?? 30_000;
  }

  #update(change: (state: LiveState) => LiveState): void {
    const next = change(this.state.value);
    if (next !== this.state.value) this.state.set(next);
  }

  async #read(): Promise<void> {
    try {
      await this.#wire.read();
      const isOver = await settlesWithin(this.process.ended, Math.min(this.#controlMs, OUTPUT_ENDED_MS));
      if (!isOver) void this.close(muted());
    } catch {
      // Told by the wire, and the session is being closed.
    }
    this.#finish(await this.process.over());
    await this.process.endTree(1000);
  }

  #take(frame: NdjsonFrame | NdjsonFault): void {
    // The end has been told, whatever a late tap still lets through.
    if (this.state.value.end !== undefined) return;
    const message = "payload" in frame ? readMessage(frame.payload) : undefined;
    if (message === undefined) {
      this.#update(receivedUnparsed);
      return this.hub.publish(readStrayLine(frame));
    }
    this.#update((state) => received(state, message));
    this.hub.publish(message);
    if (message.type === "control_response") this.#controls.take(message);
    else if (message.type === "control_request") this.#requests.take(message);
    else if (message.type === "control_cancel_request") this.#requests.withdraw(message["request_id"]);
    else if (message.type === "result") void this.#mirror?.pass(this.state.value);
  }

  /** Records the end, once, and tells everybody who waits. */
  #finish({ code, signal }: ProcessEnd): void {
    if (this.state.value.end !== undefined) return;
    const { stderrTail } = this.process;
    const error = (this.#refusal ??= exited(code, signal, stderrTail));
    this.#update((state) => ended(state, { code, signal, stderrTail, error }));
    this.#controls.fail(error);
    this.#requests.end();
    this.hub.end();
  }

  async #endError(waitMs: number): Promise<CLIError | undefined> {
    if (this.#refusal === undefined) await settlesWithin(this.over, waitMs);
    return this.#refusal;
  }

  async #close(reason: CLIError, limitMs: number): Promise<void> {
    const deadline = Date.now() + limitMs;
    this.process.noteTree();
    // It stops a running turn at once, where the end of input, which must not overtake it, lets it finish first.
    const told = this.ask({ subtype: "end_session" }, limitMs);
    this.#refusal ??= reason;
    await settlesWithin(told, limitMs * 0.1);
    await this.process.end(limitMs * 0.6);
    // A tap that does not come back must not keep the session open.
    if (!(await settlesWithin(this.#reading, limitMs * 0.1))) this.#abandon();
    const archive = await this.#mirror?.last(
      this.state.value,
      Math.max(deadline - Date.now(), limitMs * 0.1),
    );
    if (archive !== undefined) this.#update((state) => ({ ...state, archive }));
  }

  #abandon(): void {
    this.#finish(this.process.exit);
    this.process.abandonOutput();
  }
}

function muted(): CLIError {
  return new CLIError(
    { kind: "protocol" },
    "Claude Code has closed its output although it has not ended; the session is closed.",
  );
}

function exited(code: number | null, signal: NodeJS.Signals | null, stderrTail: string): CLIError {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const said = stderrTail === "" ? "" : `: ${stderrTail.split("\n").at(-1)}`;
  return new CLIError({ kind: "exited", code, signal, stderrTail }, `Claude Code ended ${how}${said}`);
}
