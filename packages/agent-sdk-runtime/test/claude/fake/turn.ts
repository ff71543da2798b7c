import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ALLOWED, askHost, DENIED, type Verdict } from "./asks.ts";
import { type Notice, startBackground } from "./background.ts";
import { startCommand } from "./command.ts";
import type { FakeCli } from "./fake-cli.ts";
import { abortedFields, abortedLines, type OpenWork, Stopped } from "./interrupted.ts";
import {
  assistantLine,
  type Block,
  compactLines,
  initLine,
  isBuiltIn,
  marked,
  type Prompt,
  resultLine,
  rowOf,
  streamLines,
  type ToolOutcome,
  toolResultLine,
} from "./lines.ts";

/** What a tool does. */
export interface ToolWork {
  /** A shell command that is really run, in a session of its own. */
  readonly command?: string;
  /** What it gives without a command. */
  readonly output?: string | ToolGiven | (() => string | Promise<string | ToolGiven>);
}

/** What a tool gives, and how it went. */
export interface ToolGiven extends ToolOutcome {
  readonly content: unknown;
}

/** How a tool call is played. */
export interface ToolScript extends ToolWork {
  /** Asks the host before; more fields of the request. */
  readonly ask?: boolean | object;
  /** What it does once it may, if that depends on the host's word. */
  readonly decide?: (verdict: Verdict, toolUseId: string) => ToolWork;
}

/** One turn of the CLI. */
export class Turn {
  readonly cli: FakeCli;
  /** What it took up; grows by what is folded in. */
  readonly prompts: Prompt[];
  /** Set where a background task began it. */
  readonly notice: Notice | undefined;
  readonly signal: AbortSignal;
  /** Resolves when its result is written. */
  readonly over: Promise<void>;
  readonly #opener: readonly Prompt[];
  readonly #stop = new AbortController();
  #resolveOver: () => void = () => undefined;
  #ended = false;
  #spoke = false;
  #lastText = "";
  /** What an interrupt would find. */
  #open: OpenWork | undefined;

  private constructor(cli: FakeCli, prompts: readonly Prompt[], notice: Notice | undefined) {
    this.cli = cli;
    this.prompts = [...prompts];
    this.#opener = prompts;
    this.notice = notice;
    this.signal = this.#stop.signal;
    this.over = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
  }

  /** Tells that it has begun. */
  static begin(cli: FakeCli, prompts: readonly Prompt[], notice: Notice | undefined): Turn {
    const turn = new Turn(cli, prompts, notice);
    cli.running = turn;
    cli.lifecycle(prompts, "started");
    if (prompts[0]?.command === true && prompts[0].text === "/clear") cli.clear(turn.#marks());
    const { model, permissionMode, mcpServers } = cli;
    cli.emit(initLine({ cwd: process.cwd(), model, permissionMode, mcpServers, uuids: turn.#uuids() }));
    for (const { content, uuid } of prompts) cli.transcript.user(content, uuid);
    return turn;
  }

  /** The text of what it took up, or of the notice. */
  get text(): string {
    return this.notice?.summary ?? this.prompts.map((prompt) => prompt.text).join("\n");
  }

  /** What it is asked in them. */
  get words(): string {
    return this.notice?.summary ?? this.prompts.map((prompt) => prompt.words).join("\n");
  }

  /** A tool is at work: what ends meanwhile is folded in. */
  get inTool(): boolean {
    return this.#open?.toolUseId !== undefined;
  }

  /** Runs the handler and sees to it that there is a result. */
  async run(handle: (turn: Turn) => unknown): Promise<void> {
    try {
      if (this.prompts.some(isBuiltIn)) this.#builtIn();
      else await handle(this);
      if (!this.#ended) this.end();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      for (const line of abortedLines(this.cli.model, this.#open, error.how)) this.cli.emit(line);
      this.end(abortedFields(this.#open, error.how));
    }
  }

  /** A text block of the model's. */
  say(text: string): void {
    this.signal.throwIfAborted();
    this.#lastText = text;
    this.#message({ type: "text", text }, "end_turn");
  }

  /** A text in pieces, with time between them for an interrupt. */
  async stream(text: string, pieces = 4, pauseMs = 5): Promise<void> {
    const size = Math.max(1, Math.ceil(text.length / pieces));
    const parts = text.match(new RegExp(`.{1,${size}}`, "gsu")) ?? [];
    const id = `msg_${randomUUID()}`;
    const { before, after } = streamLines(id, this.cli.model, { type: "text", text }, parts);
    let said = "";
    for (const { line, piece } of before) {
      this.cli.emitPartial([line]);
      if (piece === undefined) continue;
      said += piece;
      this.#open = { messageId: id, said };
      await this.pause(pauseMs);
    }
    this.#open = undefined;
    this.#lastText = text;
    this.#block(id, { type: "text", text }, "end_turn");
    this.cli.emitPartial(after);
  }

  /** A tool call, with the host's verdict and what the tool gave. */
  async tool(name: string, input: object, script: ToolScript = {}): Promise<Verdict & { output: string }> {
    const toolUseId = `toolu_${randomUUID()}`;
    this.#message({ type: "tool_use", id: toolUseId, name, input }, "tool_use");
    this.#open = { toolUseId };
    const { ask = false } = script;
    const fields = { tool_name: name, input, tool_use_id: toolUseId, ...(ask === true ? {} : ask) };
    const verdict = ask === false ? ALLOWED : await this.ask(fields);
    const denied = verdict.behavior === "deny";
    if (denied && verdict.interrupt === true) throw new Stopped("interrupted");
    const given = denied
      ? { content: verdict.message, ...DENIED }
      : await this.#work(script.decide?.(verdict, toolUseId) ?? script);
    this.#finish(toolUseId, given);
    return { ...verdict, output: String(given.content) };
  }

  /** Asks the host whether a tool may run. */
  ask(request: { readonly tool_name: string; readonly [field: string]: unknown }): Promise<Verdict> {
    return this.wait(askHost(this.cli, request, this.signal));
  }

  /** Starts a command that outlives the turn; its end begins a turn of its own, or is folded into one at a tool. */
  background(description: string, command: string): string {
    const toolUseId = `toolu_${randomUUID()}`;
    const input = { command, description, run_in_background: true };
    this.#message({ type: "tool_use", id: toolUseId, name: "Bash", input }, "tool_use");
    return startBackground(this.cli, { command, description, toolUseId });
  }

  /** A text and the result. */
  answer(text: string): void {
    this.say(text);
    this.end();
  }

  /** The end of a turn at an error of the API. */
  fail(text: string, status = 400): void {
    const line = assistantLine(randomUUID(), "<synthetic>", { type: "text", text }, "stop_sequence");
    this.cli.emit({
      ...line,
      error: "invalid_request",
      is_api_error_message: true,
      api_error_status: status,
    });
    const terminal_reason = /prompt is too long/iu.test(text) ? "prompt_too_long" : "api_error";
    this.end({ is_error: true, terminal_reason, result: text, api_error_status: status });
  }

  /** The result, with other fields where they are given. */
  end(fields: object = {}): void {
    const { cli, notice } = this;
    const origin = notice && { kind: "task-notification", producer: "session-task", runId: notice.runId };
    const line = resultLine({
      result: this.#lastText,
      ...this.#marks(),
      ...(origin && { origin }),
      ...fields,
    });
    this.#ended = true;
    const folded = this.prompts.filter((prompt) => !this.#opener.includes(prompt));
    cli.lifecycle(folded, "completed");
    cli.emitResult(line);
    const aborted = String(line["terminal_reason"]).startsWith("aborted");
    cli.lifecycle(this.#opener, aborted ? "cancelled" : "completed");
    this.#resolveOver();
  }

  /** The promise, unless the turn is stopped before. */
  wait<Value>(promise: Promise<Value>): Promise<Value> {
    return Promise.race([promise, this.forever()]);
  }

  pause(ms: number): Promise<void> {
    return this.wait(delay(ms));
  }

  /** Until the turn is stopped, which ends the handler. */
  forever(): Promise<never> {
    return new Promise((_, reject) => {
      const stopped = (): void => reject(this.signal.reason as Stopped);
      if (this.signal.aborted) stopped();
      else this.signal.addEventListener("abort", stopped);
    });
  }

  /** Stops it, from outside. */
  abort(how: Stopped["how"]): void {
    this.#stop.abort(new Stopped(how));
  }

  /** The process was told to end: the tool is killed, and there is no result. */
  terminate(): void {
    if (this.#open?.toolUseId === undefined) return;
    this.#open.kill?.();
    this.cli.emit(toolResultLine(this.#open.toolUseId, "Exit code 137", { isError: true }));
  }

  async #work({ command, output = "" }: ToolWork): Promise<ToolGiven> {
    if (command !== undefined) return this.#run(command);
    const given = await this.wait(Promise.resolve(typeof output === "function" ? output() : output));
    return typeof given === "string" ? { content: given } : given;
  }

  async #run(command: string): Promise<ToolGiven> {
    const child = startCommand(command);
    this.#open = { ...this.#open, kill: child.stop };
    try {
      const { code, output } = await this.wait(child.done);
      return code ? { content: `Exit code ${code}\n${output}`, isError: true } : { content: output };
    } finally {
      child.stop();
    }
  }

  #finish(toolUseId: string, { content, ...outcome }: ToolGiven): void {
    const line = toolResultLine(toolUseId, content, outcome);
    const uuid = randomUUID();
    this.#open = undefined;
    this.cli.emit({ ...line, uuid });
    this.cli.transcript.user((line["message"] as { readonly content: unknown }).content, uuid, rowOf(line));
    this.prompts.push(...this.cli.fold());
  }

  /** A message of one block, in pieces where those were asked for. */
  #message(block: Block, stopReason: string): void {
    const id = `msg_${randomUUID()}`;
    const { before, after } = streamLines(id, this.cli.model, block, [
      JSON.stringify(block["input"]) ?? block["text"],
    ]);
    this.cli.emitPartial(before.map(({ line }) => line));
    this.#block(id, block, stopReason);
    this.cli.emitPartial(after);
  }

  #block(id: string, block: Block, stopReason: string): void {
    const line = assistantLine(id, this.cli.model, block, null);
    const uuid = randomUUID();
    this.cli.emit({ ...line, uuid, ...(this.#spoke ? {} : this.#marks()) });
    this.#spoke = true;
    this.cli.transcript.assistant(line["message"] as object, stopReason, uuid);
  }

  #builtIn(): void {
    if (this.text.startsWith("/compact")) for (const line of compactLines()) this.cli.emit(line);
    this.end({ num_turns: 0, stop_reason: null, terminal_reason: undefined });
  }

  #uuids(): readonly string[] {
    return this.cli.behaviour.fates === false ? [] : this.prompts.flatMap(({ uuid }) => uuid ?? []);
  }

  #marks(): object {
    return marked(this.#uuids());
  }
}
