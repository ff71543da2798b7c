/*
A scripted Claude Code: the words of its stream-json wire (2.1.332), for programs of a few lines. A program is
given to a session as `binary`; scripts ending in .mjs are run by the Node that runs the tests.

    import { serve } from "../fake-cli.ts";
    await serve((turn) => turn.answer(`You said: ${turn.text}`));

`serve(handle, behaviour?)` answers `initialize` and the other control requests, takes what is sent, and calls
`handle` for every turn of the CLI: one for what waits together, one for each slash command, one for each
background task that ends. It gives the lifecycle of every send, `init` before and a `result` after each turn,
withdraws and aborts on `interrupt`, folds what comes during a tool into the turn, keeps the transcript where
CLAUDE_CONFIG_DIR says, and ends as the CLI does on `end_session`, the end of input and signals. Arguments it
knows: --session-id, --resume, --fork-session, --model, --permission-mode, --include-partial-messages.

Words of a turn (turn.ts):
    text, words, prompts, notice, signal                      what it is about; aborted by an interrupt
    say(text) · stream(text, pieces, pauseMs)          a text block; in pieces where partial messages were asked for
    tool(name, input, { ask, command, output, decide }) a tool call: asks, runs a real child or gives the output;
                                                       `decide` says by the host's word what it does
    ask(request)                                       a `can_use_tool` request, without a call
    background(description, command)                   a background command; its end begins a turn of its own
    answer(text) · fail(text, status) · end(fields)    the result, also given when the handler returns without one
    forever() · pause(ms) · wait(promise)              until an interrupt, which ends the handler

Words of the CLI (`turn.cli`):
    emit(line)          a line, stamped with a uuid and the session id
    write(text)         bytes as they are; `flushed()` waits until they are taken
    request(body)       a control request to the host, and its answer
    behaviour           { silent, refuses, fates, named }: control requests never answered or refused, an old CLI
                        that tells no fates, one that never names its session
    exit(code)          once everything is written

A program that needs none of this writes lines itself: `readLines()` gives what the host writes.
*/
import { randomUUID } from "node:crypto";
import { argument, mcpServers, openTranscript } from "./arguments.ts";
import { controlAnswer, isControl, modeName } from "./controls.ts";
import type { Notice } from "./background.ts";
import { type Line, type Prompt, readPrompt } from "./lines.ts";
import { Mailbox } from "./mailbox.ts";
import { Requests } from "./requests.ts";
import { badLine, readLines } from "./stdin.ts";
import { Transcript } from "./transcript.ts";
import { Turn } from "./turn.ts";

export { readLines } from "./stdin.ts";

/** How a CLI differs from the recorded one. */
export interface Behaviour {
  readonly silent?: readonly string[];
  readonly refuses?: Readonly<Record<string, string>>;
  readonly fates?: boolean;
  readonly named?: boolean;
}

/** Work in the background. Agents end with an interrupt, commands do not. */
export interface BackgroundTask {
  readonly kind: "command" | "agent";
  readonly description: string;
  readonly stop: () => void;
}

/** What a host registers. */
export interface Registered {
  readonly hooks?: Readonly<Record<string, readonly HookMatcher[]>>;
  readonly sdkMcpServers?: readonly string[];
}

/** Which tools a hook is called for, and by which ids. */
interface HookMatcher {
  readonly matcher?: string;
  readonly hookCallbackIds: readonly string[];
}

/** Runs a program: `handle` is called for each turn. Resolves never: the process exits. */
export async function serve(handle: (turn: Turn) => unknown, behaviour: Behaviour = {}): Promise<void> {
  const cli = await FakeCli.start(behaviour);
  for (;;) {
    const turn = await cli.turn();
    if (turn === undefined) break;
    await turn.run(handle);
  }
  await cli.exit(cli.failed ? 1 : 0);
}

/** One CLI process. */
export class FakeCli {
  readonly behaviour: Behaviour;
  readonly partial: boolean = process.argv.includes("--include-partial-messages");
  model: string = argument("model") ?? "claude-opus-5-5";
  permissionMode: string = modeName(argument("permission-mode") ?? "default");
  transcript: Transcript;
  /** What the host has registered with `initialize`. */
  registered: Registered = {};
  /** Background work that runs, by its ids. */
  readonly tasks = new Map<string, BackgroundTask>();
  /** The turn that runs. */
  running: Turn | undefined;
  /** Whether the last result was an error: then the end of input exits with 1. */
  failed = false;
  #results = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #mailbox = new Mailbox();
  readonly #requests = new Requests((line) => this.emit(line));

  private constructor(behaviour: Behaviour, transcript: Transcript) {
    this.behaviour = behaviour;
    this.transcript = transcript;
  }

  static async start(behaviour: Behaviour): Promise<FakeCli> {
    const cli = new FakeCli(behaviour, await openTranscript());
    process.on("SIGTERM", () => void cli.#terminate());
    process.on("SIGINT", () => void cli.#interrupted());
    // A host that does not read any more is gone.
    process.stdout.on("error", () => process.exit(1));
    void cli.#read();
    return cli;
  }

  get sessionId(): string {
    return this.transcript.sessionId;
  }

  /** The MCP servers there are. */
  get mcpServers(): readonly { readonly name: string; readonly status: string }[] {
    const names = [...Object.keys(mcpServers()), ...(this.registered.sdkMcpServers ?? [])];
    return names.map((name) => ({ name, status: "connected" }));
  }

  /** Another permission mode. */
  setPermissionMode(mode: string): void {
    this.permissionMode = mode;
    this.emit({ type: "system", subtype: "status", status: null, permissionMode: mode });
  }

  /** The next turn: waits for something to do; `undefined` once input has ended and nothing runs. */
  async turn(): Promise<Turn | undefined> {
    for (;;) {
      const mail = this.#mailbox.next();
      if (mail !== undefined) return Turn.begin(this, mail.prompts, mail.notice);
      if (this.#ended && this.tasks.size === 0) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** What waits is taken into the running turn, at a tool boundary; commands wait on. */
  fold(): readonly Prompt[] {
    const folded = this.#mailbox.fold();
    this.lifecycle(folded, "started");
    for (const { uuid, content } of folded) {
      const attachment = {
        type: "queued_command",
        prompt: content,
        source_uuid: uuid,
        commandMode: "prompt",
      };
      this.transcript.aside({ type: "attachment", attachment });
    }
    return folded;
  }

  /** Something has happened: a notice begins a turn of its own, unless a tool of the running one is at work. */
  wake(notice?: Notice): void {
    if (notice !== undefined && this.running?.inTool !== true) this.#mailbox.notify(notice);
    this.#wake?.();
  }

  /** Another session in the same process. */
  clear(marks: object): void {
    this.emit({ type: "conversation_reset", new_conversation_id: randomUUID(), trigger: "clear", ...marks });
    this.transcript = Transcript.create(randomUUID(), process.cwd());
  }

  emit(line: Line): void {
    const id = this.behaviour.named === false ? undefined : { session_id: this.sessionId };
    const mark = line.type.startsWith("control_") ? undefined : { uuid: randomUUID(), ...id };
    this.write(`${JSON.stringify({ ...mark, ...line })}\n`);
  }

  /** Lines that only come where partial messages were asked for. */
  emitPartial(lines: readonly Line[]): void {
    if (this.partial) for (const line of lines) this.emit(line);
  }

  /** The result of the running turn. */
  emitResult(line: Line): void {
    this.running = undefined;
    this.failed = line["is_error"] === true;
    this.emit({ total_cost_usd: (this.#results + 1) / 10_000, ...line, result_index: this.#results });
    this.#results += 1;
  }

  write(text: string | Uint8Array): void {
    process.stdout.write(text);
  }

  flushed(): Promise<void> {
    return new Promise((resolve) => process.stdout.write("", () => resolve()));
  }

  lifecycle(prompts: readonly Prompt[], state: string): void {
    if (this.behaviour.fates === false) return;
    for (const { uuid } of prompts)
      if (uuid !== undefined) this.emit({ type: "command_lifecycle", command_uuid: uuid, state });
  }

  /** Asks the host; an aborted signal withdraws the request. */
  request(body: object, signal?: AbortSignal): Promise<unknown> {
    return this.#requests.ask(body, signal);
  }

  /** Stops the running turn: what an interrupt is answered with. */
  interrupt(cancelQueued = false): object {
    for (const { kind, stop } of this.tasks.values()) if (kind === "agent") stop();
    this.running?.abort("interrupted");
    const uuids = this.#mailbox.prompts.flatMap(({ uuid }) => uuid ?? []);
    if (!cancelQueued) return { still_queued: uuids };
    this.lifecycle(this.#mailbox.cancel(), "cancelled");
    return { still_queued: [], cancelled: uuids };
  }

  async exit(code: number): Promise<never> {
    for (const task of this.tasks.values()) task.stop();
    await this.flushed();
    process.exit(code);
  }

  async #read(): Promise<void> {
    for await (const text of readLines()) this.#take(text);
    this.#ended = true;
    this.#requests.close();
    this.#wake?.();
  }

  #take(text: string): void {
    const bad = badLine(text);
    if (bad !== undefined) {
      process.stderr.write(`${bad}\n`);
      return process.exit(1);
    }
    const line = JSON.parse(text) as Line;
    if (line.type === "user") this.#prompt(readPrompt(line));
    else if (line.type === "control_request") void this.#control(line);
    else if (line.type === "control_response")
      this.#requests.take(line["response"] as { request_id: unknown });
  }

  #prompt(prompt: Prompt | undefined): void {
    if (prompt === undefined) return;
    const { uuid } = prompt;
    if (uuid !== undefined && this.transcript.known.has(uuid)) return this.lifecycle([prompt], "completed");
    if (uuid !== undefined) this.transcript.known.add(uuid);
    this.lifecycle([prompt], "queued");
    this.#mailbox.add(prompt);
    if (prompt.priority === "now") this.running?.abort("preempted");
    this.#wake?.();
  }

  async #control(line: Line): Promise<void> {
    const request = line["request"] as { readonly subtype: string };
    const { silent = [], refuses = {} } = this.behaviour;
    if (silent.includes(request.subtype)) return;
    const refusal =
      refuses[request.subtype] ??
      (isControl(request) ? undefined : `Unsupported control request subtype: ${request.subtype}`);
    const head = { subtype: "success", request_id: line["request_id"] };
    try {
      if (refusal !== undefined) throw new Error(refusal);
      this.emit({ type: "control_response", response: { ...head, ...controlAnswer(this, request) } });
    } catch (error) {
      const response = { ...head, subtype: "error", error: (error as Error).message };
      this.emit({ type: "control_response", response });
    }
    if (request.subtype === "end_session") await this.#interrupted();
  }

  async #interrupted(): Promise<void> {
    const { running } = this;
    this.interrupt();
    await running?.over;
    await this.exit(this.failed ? 1 : 0);
  }

  async #terminate(): Promise<void> {
    this.running?.terminate();
    await this.exit(143);
  }
}
