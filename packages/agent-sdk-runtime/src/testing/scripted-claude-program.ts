import type { Json } from "@claxedo/agent-event-runtime";
import { acts, type ClaudeActor } from "./scripted-claude-acts.ts";
import {
  backgroundTasks,
  type Call,
  canUseTool,
  controlResponse,
  init,
  lifecycle,
  type Line,
  result,
  type RunEnd,
  said,
  taskNews,
  toolResult,
} from "./scripted-claude-lines.ts";

/** What the scripted CLI needs of who starts it. */
export interface ProgramHost {
  /** Makes a part of its ids that no other program has. */
  readonly name: string;
  /** Makes the name of a new session. */
  newSession(): string;
  /** Takes a line. */
  said(line: Line): void;
  /** Takes what is no line. */
  babbled(text: string): void;
  /** It has ended. */
  died(): void;
}

interface Run {
  readonly uuids: readonly string[];
  obeys: boolean;
  onInput?: () => void;
}

/** The scripted CLI, as its stdin and stdout show it. */
export class ScriptedClaudeProgram implements ClaudeActor {
  sessionId: string;
  model: string;
  mode: string;
  readonly #host: ProgramHost;
  readonly #calls = new Map<string, Call>();
  readonly #asks = new Map<string, (refused: string | undefined) => void>();
  readonly #tasks = new Map<string, string>();
  #waiting: { readonly uuid: string; readonly text: string }[] = [];
  #run: Run | undefined;
  #count = 0;
  #spent = 0;

  constructor(
    host: ProgramHost,
    start: { readonly session?: string; readonly model: string; readonly mode: string },
  ) {
    this.#host = host;
    this.sessionId = start.session ?? host.newSession();
    this.model = start.model;
    this.mode = start.mode;
  }

  /** Takes a user's message. */
  take(uuid: string, text: string): void {
    this.say(lifecycle(uuid, "queued"));
    this.#waiting.push({ uuid, text });
    if (this.#run === undefined) this.#next();
    else this.#run.onInput?.();
  }

  /** Takes the answer to what it asked. */
  answered(requestId: string, { behavior, message }: Line): void {
    const then = this.#asks.get(requestId);
    this.#asks.delete(requestId);
    then?.(behavior === "allow" ? undefined : typeof message === "string" ? message : "refused");
  }

  /** Drops what waits, and stops. */
  interrupted(requestId: string): void {
    if (this.#run?.obeys === false) return;
    const cancelled = this.#waiting.splice(0).map(({ uuid }) => uuid);
    this.say(controlResponse(requestId, { still_queued: [], cancelled }));
    for (const uuid of cancelled) this.say(lifecycle(uuid, "cancelled"));
    if (this.#run === undefined) return;
    for (const [open] of this.#asks) this.say({ type: "control_cancel_request", request_id: open });
    this.#asks.clear();
    this.end("aborted");
  }

  /** Ends a task, and says so. */
  endTask(taskId: string, status: "completed" | "stopped"): void {
    const callId = this.#tasks.get(taskId);
    if (!this.#tasks.delete(taskId) || callId === undefined) return;
    this.say(taskNews(taskId, callId, { subtype: "task_updated", patch: { status } }));
    this.say(taskNews(taskId, callId, { subtype: "task_notification", status, summary: `It ${status}.` }));
    this.say(backgroundTasks([...this.#tasks.keys()]));
  }

  // The words of its acts.

  say(line: Line): void {
    this.#host.said({ ...line, session_id: this.sessionId, uuid: this.#id("line") });
  }
  text(words: string): void {
    this.say(said(this.#id("msg"), { type: "text", text: words }, null));
  }
  call(name: string, input: Json, parent: string | null = null): string {
    const call = { id: this.#id("toolu"), name, input, parent };
    this.#calls.set(call.id, call);
    this.say(said(this.#id("msg"), { type: "tool_use", id: call.id, name, input }, parent));
    return call.id;
  }
  done(
    callId: string,
    output: string,
    more: { readonly failed?: boolean; readonly structured?: Json } = {},
  ): void {
    const call = this.#calls.get(callId);
    if (this.#calls.delete(callId) && call !== undefined) this.say(toolResult(call, output, more));
  }
  ask(callId: string, then: (refused: string | undefined) => void, agentId?: string): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    const requestId = this.#id("ask");
    this.#asks.set(requestId, then);
    this.say(canUseTool(requestId, call, agentId));
  }
  withdraw(): void {
    for (const [requestId, then] of this.#asks) {
      this.#asks.delete(requestId);
      this.say({ type: "control_cancel_request", request_id: requestId });
      then("withdrawn");
    }
  }
  onInput(then: () => void): void {
    if (this.#run !== undefined) this.#run.onInput = then;
  }
  fold(): void {
    for (const { uuid } of this.#waiting.splice(0)) {
      this.say(lifecycle(uuid, "started"));
      this.say(lifecycle(uuid, "completed"));
    }
  }
  end(how: RunEnd = "completed"): void {
    const uuids = this.#run?.uuids ?? [];
    this.#spent += 1;
    this.say(result(how, uuids, this.#spent));
    for (const uuid of uuids) this.say(lifecycle(uuid, how === "aborted" ? "cancelled" : "completed"));
    this.#run = undefined;
    this.#next();
  }
  disobey(): void {
    if (this.#run !== undefined) this.#run.obeys = false;
  }
  begin(kind: "agent" | "background", callId: string): string {
    const taskId = this.#id("task");
    this.#tasks.set(taskId, callId);
    this.say(backgroundTasks([...this.#tasks.keys()]));
    const task_type = kind === "agent" ? "local_agent" : "local_bash";
    const news = { subtype: "task_started", description: "Goes on", is_backgrounded: true, task_type };
    this.say(taskNews(taskId, callId, news));
    return taskId;
  }
  finish(taskId: string, silent = false): void {
    this.endTask(taskId, "completed");
    this.#run = { uuids: [], obeys: true };
    this.say(init(this.model, this.mode, []));
    if (silent) return;
    this.text("It has ended.");
    this.end();
  }
  die(): void {
    this.#host.died();
  }
  babble(): void {
    this.#host.babbled("{half");
    this.say({ type: "no_such_line", odd: [1, 2] });
  }

  /** What waits becomes one run, which does what the first of it says. */
  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const uuids = this.#waiting.splice(0).map(({ uuid }) => uuid);
    this.#run = { uuids, obeys: true };
    for (const uuid of uuids) this.say(lifecycle(uuid, "started"));
    if (first.text === "/clear") this.sessionId = this.#host.newSession();
    this.say(init(this.model, this.mode, uuids));
    if (first.text.startsWith("/")) return this.end("command");
    const [word = ""] = first.text.split(" ");
    acts.get(word)?.(this, first.text.slice(word.length + 1));
  }

  #id(kind: string): string {
    this.#count += 1;
    return `${kind}_${this.#host.name}_${this.#count}`;
  }
}
