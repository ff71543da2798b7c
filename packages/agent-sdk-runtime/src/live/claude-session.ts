import type { ControlBody, LiveInput, SendOptions } from "./input.ts";
import type { LiveEnd, LiveState } from "./live-state.ts";
import type { ClaudeMessage, ClaudeResult, LiveMessage } from "./messages.ts";
import type { ToolAnswer } from "./options.ts";
import type { SendFate } from "./send-fates.ts";

/** How long to wait for something. */
export interface WaitOptions {
  /** In milliseconds; then the fault `timeout`. */
  readonly timeoutMs?: number | undefined;
  /** Ends the waiting, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** How a turn is stopped. */
export interface InterruptOptions {
  /** Also calls off what waits behind the running turn. Default false. */
  readonly cancelQueued?: boolean;
  /** For the CLI to take it, in milliseconds. Default `controlTimeoutMs`. */
  readonly timeoutMs?: number;
}

/** What identifies a session. */
export interface LiveInfo {
  readonly sessionId: string;
  readonly pid: number;
  /** The CLI's answer to `initialize`: its commands, models, account and so on, as they came. */
  readonly initialized: unknown;
}

/**
 * An active Claude Code session on a long-lived CLI process: a stream of messages, and a way to inject
 * input. Turns are not modelled. The CLI decides where a turn begins and ends, merges an input into a
 * running turn, and begins turns of its own, so a message read from `events` is never "the reply to the
 * last send". That something was finished is read from `state`, whose counters only grow: waiting for
 * `resultsSeen > n` cannot miss what came before the wait.
 *
 * All promises are rejected with a `CLIError`, those of wrong arguments with an `AgentRuntimeError`. Whoever
 * made the session closes it.
 */
export interface ClaudeSession extends AsyncDisposable {
  readonly pid: number;
  /** What is known now. */
  readonly state: LiveState;
  /** The state now, then whenever it has changed; what lies between two looks is skipped. Ends with the process. */
  readonly stateChanges: AsyncIterable<LiveState>;
  /**
   * Every message from the moment the loop begins, for any number of readers. LOSSY: a reader that is too
   * slow loses the oldest (counted in `state.droppedEvents`), so this is for showing, not for deciding.
   * Leaving the loop stops nothing else. Ends with the process, after what is still buffered.
   */
  readonly events: AsyncIterable<LiveMessage>;
  /** Resolves when the process has ended, however that was. Never rejects. */
  readonly terminated: Promise<LiveEnd>;
  /** The CLI's answer to `initialize`. */
  readonly initialized: unknown;
  /**
   * The session's name and facts, once the CLI has named it: with the first message that carries the id,
   * which is not before the first input. Waits a minute by default.
   */
  info(options?: WaitOptions): Promise<LiveInfo>;
  /**
   * Injects input at the CLI's next opportunity, and resolves when it is written, not when it is answered.
   * Whether it begins a turn or joins the running one is the CLI's to decide.
   */
  send(input: LiveInput, options?: SendOptions): Promise<void>;
  /** As `send`, as the plain text in which the CLI looks for slash commands. */
  command(text: string, options?: SendOptions): Promise<void>;
  /**
   * Reads the counter, sends, waits for the next result. That result may answer an earlier send, or several:
   * this is what the CLI did.
   */
  sendAndAwait(input: LiveInput, options?: SendOptions & WaitOptions): Promise<ClaudeResult>;
  /**
   * The latest result once `resultsSeen` is beyond `seen`: at once if it is already. Of two results between
   * looks the later is told. Rejects with the recorded error if the process ends first.
   */
  awaitResultAfter(seen: number, options?: WaitOptions): Promise<ClaudeResult>;
  /** What became of a send that was given a uuid; `undefined` if there was none, or it was long ago. */
  fate(uuid: string): SendFate | undefined;
  /** The fate once it is settled. */
  settledFate(uuid: string, options?: WaitOptions): Promise<SendFate>;
  /**
   * Stops the running turn; the session lives on. The stopped turn's result is counted and `is_error`.
   * Queued input runs afterwards, unless it is cancelled as well.
   */
  interrupt(options?: InterruptOptions): Promise<void>;
  /** Answers a request of `state.asks`, where `canUseTool` is `manual`. */
  answer(ask: ClaudeMessage, answer: ToolAnswer): Promise<void>;
  /** Another model, from the next model call on. */
  setModel(model: string): Promise<void>;
  setPermissionMode(mode: string): Promise<void>;
  /** What fills the context, as the CLI tells it. */
  contextUsage(): Promise<unknown>;
  mcpStatus(): Promise<unknown>;
  /** Stops background work or a subagent. The CLI takes ids that it does not know as well. */
  stopTask(taskId: string): Promise<void>;
  /** Moves running foreground commands to the background. */
  moveToBackground(): Promise<void>;
  /** Takes file changes back to where they were before that input. */
  rewindFiles(userMessageUuid: string): Promise<unknown>;
  /** Any control request of the CLI, with its answer. */
  control(request: ControlBody, timeoutMs?: number): Promise<unknown>;
  /**
   * Ends the process and all that it started, then makes the last copy for the archive, all within
   * `closeTimeoutMs`. Any number of times; never rejects.
   */
  close(): Promise<void>;
  /** As `close`, without waiting. */
  closeDetached(): void;
}
