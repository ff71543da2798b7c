import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { ClaudeSession, InterruptOptions, LiveInfo, WaitOptions } from "./claude-session.ts";
import { checkTime } from "./check-options.ts";
import { CLIError } from "./cli-error.ts";
import {
  commandLine,
  type ControlBody,
  inputLine,
  type LiveInput,
  type SendOptions,
  type SentLine,
} from "./input.ts";
import { LiveEngine } from "./live-engine.ts";
import type { LiveEnd, LiveState } from "./live-state.ts";
import { isSettled, type SendFate } from "./send-fates.ts";
import { awaitState, checkWait, endOf, stateChanges } from "./state-waits.ts";
import type { ClaudeMessage, ClaudeResult, LiveMessage } from "./messages.ts";
import type { LiveSessionOptions, ToolAnswer } from "./options.ts";
import type { ClaudeProcess } from "./process/claude-process.ts";

/** A session as hosts hold it. */
export class LiveSession implements ClaudeSession {
  readonly terminated: Promise<LiveEnd>;
  readonly #engine: LiveEngine;
  /** Ids of requests whose answer is on its way: the first one counts. */
  readonly #answering = new Set<unknown>();

  private constructor(engine: LiveEngine) {
    this.#engine = engine;
    this.terminated = engine.over.then(endOf);
  }

  /** Takes over a process that has just been started, and waits for its first word. */
  static async open(options: LiveSessionOptions, process: ClaudeProcess): Promise<LiveSession> {
    const engine = new LiveEngine(options, process);
    const session = new LiveSession(engine);
    try {
      await engine.initialize();
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  get pid(): number {
    return this.#engine.process.pid;
  }

  get state(): LiveState {
    return this.#engine.state.value;
  }

  get stateChanges(): AsyncIterable<LiveState> {
    return { [Symbol.asyncIterator]: () => stateChanges(this.#engine.state) };
  }

  get events(): AsyncIterable<LiveMessage> {
    return this.#engine.hub;
  }

  get initialized(): unknown {
    return this.#engine.initialized;
  }

  async info({ timeoutMs = 60_000, signal }: WaitOptions = {}): Promise<LiveInfo> {
    const named = (state: LiveState): boolean => state.sessionId !== undefined;
    const { sessionId } = await awaitState(this.#engine.state, named, "name its session", {
      timeoutMs,
      signal,
    });
    if (sessionId === undefined) throw new Error("A session was named without a name.");
    return { sessionId, pid: this.pid, initialized: this.initialized };
  }

  async send(input: LiveInput, options?: SendOptions): Promise<void> {
    await this.write(inputLine(input, options));
  }

  async command(text: string, options?: SendOptions): Promise<void> {
    await this.write(commandLine(text, options));
  }

  async sendAndAwait(input: LiveInput, options: SendOptions & WaitOptions = {}): Promise<ClaudeResult> {
    checkWait(options);
    const seen = this.state.resultsSeen;
    await this.send(input, options);
    return this.awaitResultAfter(seen, options);
  }

  async awaitResultAfter(seen: number, options?: WaitOptions): Promise<ClaudeResult> {
    if (Number.isNaN(seen)) throw new AgentRuntimeError("invalid-input", "NaN is no count of results.");
    const advanced = (state: LiveState): boolean => state.resultsSeen > seen;
    const { lastResult } = await awaitState(this.#engine.state, advanced, "give its next result", options);
    if (lastResult === undefined) throw new Error("A result was counted that is not there.");
    return lastResult;
  }

  fate(uuid: string): SendFate | undefined {
    return this.state.sends.get(uuid);
  }

  async settledFate(uuid: string, options?: WaitOptions): Promise<SendFate> {
    const settled = (state: LiveState): boolean =>
      isSettled(state.sends.get(uuid) ?? { state: "unobserved" });
    const state = await awaitState(this.#engine.state, settled, `tell the fate of ${uuid}`, options);
    const fate = state.sends.get(uuid);
    if (fate !== undefined) return fate;
    throw new AgentRuntimeError("invalid-input", `Nothing was sent under the uuid ${uuid}, or long ago.`);
  }

  async control(request: ControlBody, timeoutMs?: number): Promise<unknown> {
    checkTime("timeoutMs", timeoutMs);
    return this.#engine.ask(request, timeoutMs);
  }

  async interrupt({ cancelQueued = false, timeoutMs }: InterruptOptions = {}): Promise<void> {
    const queued = cancelQueued ? { cancel_queued: true } : undefined;
    await this.control({ subtype: "interrupt", ...queued }, timeoutMs);
  }

  async answer(ask: ClaudeMessage, answer: ToolAnswer): Promise<void> {
    const id = ask["request_id"];
    const isOpen = this.state.asks.some((open) => open["request_id"] === id);
    if (!isOpen || this.#answering.has(id))
      throw new AgentRuntimeError(
        "invalid-input",
        "This request is not open: it was answered, or withdrawn.",
      );
    this.#answering.add(id);
    try {
      const response = { subtype: "success", request_id: id, response: answer } as const;
      await this.write({ type: "control_response", response });
    } finally {
      this.#answering.delete(id);
    }
  }

  async setModel(model: string): Promise<void> {
    await this.control({ subtype: "set_model", model });
  }

  async setPermissionMode(mode: string): Promise<void> {
    await this.control({ subtype: "set_permission_mode", mode });
  }

  contextUsage(): Promise<unknown> {
    return this.control({ subtype: "get_context_usage" });
  }

  mcpStatus(): Promise<unknown> {
    return this.control({ subtype: "mcp_status" });
  }

  async stopTask(taskId: string): Promise<void> {
    await this.control({ subtype: "stop_task", task_id: taskId });
  }

  async moveToBackground(): Promise<void> {
    await this.control({ subtype: "background_tasks" });
  }

  rewindFiles(userMessageUuid: string): Promise<unknown> {
    return this.control({ subtype: "rewind_files", user_message_id: userMessageUuid });
  }

  /** Writes a line as it is, after checking it. */
  write(line: SentLine): Promise<void> {
    return this.#engine.write(line);
  }

  /** As `ClaudeSession.close`, within this limit where one is given. */
  close(limitMs?: number): Promise<void> {
    return this.#engine.close(
      new CLIError({ kind: "closed" }, "The session was closed; start another to go on."),
      limitMs,
    );
  }

  closeDetached(): void {
    void this.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
