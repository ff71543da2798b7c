import type { KeyedList } from "../../base/keyed-list.ts";
import type { Usage } from "../../event/event-values.ts";

/** From the first sign that the CLI works on something until the `result` that pronounces on it. */
export type ClaudeRun = {
  readonly runId: string;
  readonly origin: "user" | "harness";
  /** The host, or the CLI's own marker, has said that it is called off. */
  readonly interrupted: boolean;
  /** The model has said something. */
  readonly worked: boolean;
  /** A task told of its end before the model said anything. */
  readonly notified: boolean;
};

/** One content block of a message. */
export type ClaudePart = {
  readonly kind: "text" | "reasoning" | "tool" | "other";
  readonly ended: boolean;
  /** What an ended part held: the mark of its text, or the id of its call. */
  readonly mark: string | null;
};

/** The last message of an agent: the one under way, or the one that ended last. */
export type ClaudeMessage = {
  readonly vendorId: string | null;
  readonly messageId: string;
  /** Announced by stream events, which also say when it stops. */
  readonly streamed: boolean;
  readonly ended: boolean;
  /** At least one block of it came whole. */
  readonly whole: boolean;
  readonly aborted: boolean;
  /** The CLI's own words about a failure, in place of an answer. */
  readonly error: { readonly message: string; readonly code?: string; readonly status?: number } | null;
  readonly model: string | null;
  readonly usage: Usage | null;
  /** The last frame that brought a block. */
  readonly frame: string | null;
  readonly parts: KeyedList<ClaudePart>;
};

/** A tool call under way. */
export type ClaudeTool = {
  readonly callId: string;
  readonly name: string;
  readonly agent: readonly string[];
  readonly runId: string | null;
  /** The file it works on. */
  readonly path: string | null;
  /** Its input is known as a whole. */
  readonly whole: boolean;
  /** The input so far, as JSON text; `null` when it is known, or too long to be kept. */
  readonly partial: string | null;
  /** Its permission was refused. */
  readonly denied: boolean;
  /** Mark of the plan that was told for it. */
  readonly plan: string | null;
  /** What its input makes of the list of things to do; not every result repeats it. */
  readonly todos: readonly ClaudeTodo[] | null;
};

/** A request of the CLI that waits for the host's answer, under the vendor's request id. */
export type ClaudeAsk = {
  /** `host`: between the CLI and the host alone, such as hooks. */
  readonly kind: "permission" | "question" | "host";
  readonly requestId: string;
  /** The vendor's id of the tool call that it is about. */
  readonly tool: string | null;
  readonly agent: readonly string[];
  readonly runId: string | null;
  /** The fields of the form that the answers fill, in the order of the questions; empty where they fill none. */
  readonly fields: readonly string[];
};

/** A subagent, or work in the background, under the vendor's task id. */
export type ClaudeTask = {
  readonly taskId: string;
  readonly kind: "agent" | "background";
  /** The vendor's id of the call that started it. */
  readonly call: string | null;
  readonly title: string | null;
  /** The lineage of what happens in it: itself, then the agents around it. */
  readonly agent: readonly string[];
  /** The run that waits for it; `null` for work in the background. */
  readonly runId: string | null;
  /** A command that may yet be moved to the background is not told as a task. */
  readonly told: boolean;
  /** What it came to, when that was said and its end is not certain yet. */
  readonly outcome: "completed" | "failed" | "cancelled" | null;
  /** The CLI counts it as over. */
  readonly over: boolean;
};

/** An input that is not answered. */
export type ClaudeInput = {
  readonly inputId: string;
  readonly uuid: string | null;
  /** Mark of its text, by which an echo is known. */
  readonly mark: string;
  /** The CLI has said that it has it. */
  readonly seen: boolean;
  readonly joined: boolean;
  readonly echoed: boolean;
  /** A tool round has ended since it was sent: without a uuid, it is in the next model call. */
  readonly due: boolean;
  /** A run has ended since it was sent. */
  readonly passed: boolean;
  /** A `/compact`. */
  readonly compacts: boolean;
  /** Its message holds more than the user handed in, so the echo is not the user's words. */
  readonly holdsMore?: true;
};

/** A request of the host that the CLI has not answered. */
export type ClaudeControl = {
  readonly subtype: string;
  /** What it asks for and the answer need not repeat: a model, a mode, that a title be kept. */
  readonly value: string | null;
};

/** What was told of the session, so that only changes are told. */
export type ClaudeFacts = {
  readonly nativeSessionId: string | null;
  readonly model: string | null;
  readonly mode: string | null;
  readonly cwd: string | null;
  /** Mark of the list of commands. */
  readonly commands: string | null;
};

/** What was told of an MCP server. */
export type ClaudeServer = {
  /** In the CLI's own words. */
  readonly status: string;
  /** Mark of what it said about a failure. */
  readonly message: string | null;
};

/** A compaction under way. */
export type ClaudeCompaction = {
  readonly compactionId: string;
  /** It has succeeded; only the figures are wanting. */
  readonly done: boolean;
};

/** One entry of the model's list of things to do. */
export type ClaudeTodo = {
  readonly text: string;
  readonly status: "pending" | "active" | "done";
};

/** What the CLI's own record has told since the prompt, while it is told again after a crash. */
export type ClaudeHistory = {
  /** What came so far is in the log already. */
  readonly known: boolean;
  /** What the last row makes of the run. `command`: one of the CLI's own, which has not printed yet. */
  readonly end:
    | "open"
    | "command"
    | "handled"
    | "answered"
    | "failed"
    | "aborted_streaming"
    | "aborted_tools";
  /** The vendor's id of the message that was counted last. */
  readonly counted: string | null;
  /** Of the run so far. */
  readonly usage: Usage;
};

/** What translation of the CLI's stream-json protocol must remember between frames. */
export type ClaudeState = {
  readonly run: ClaudeRun | null;
  /** Under the id of the call that started the agent; `""` for the main one. */
  readonly messages: KeyedList<ClaudeMessage>;
  /** Under the vendor's call id. */
  readonly tools: KeyedList<ClaudeTool>;
  readonly asks: KeyedList<ClaudeAsk>;
  readonly tasks: KeyedList<ClaudeTask>;
  readonly inputs: readonly ClaudeInput[];
  readonly controls: KeyedList<ClaudeControl>;
  readonly todos: KeyedList<ClaudeTodo>;
  readonly facts: ClaudeFacts;
  readonly mcp: KeyedList<ClaudeServer>;
  readonly compaction: ClaudeCompaction | null;
  /** What the CLI had spent at its last result; it accumulates, also over a resume. */
  readonly spent: { readonly costUsd: number; readonly tokens: Usage };
  /** Mark of the last result, by which a repeated one is known. */
  readonly lastResult: string | null;
  /** The CLI tells what becomes of each input that has a uuid; `null` while that is not known. */
  readonly lifecycles: boolean | null;
  /** A run has opened in this connection. */
  readonly begun: boolean;
  /** Ends of background work that may still get a run of their own. */
  readonly notified: number;
  /** The uuid of the main agent's last frame in this run. The CLI's own record has it as a row of that uuid. */
  readonly lastRow: string | null;
  readonly history: ClaudeHistory | null;
};

/** The state before the first frame of a connection. */
export const initialClaudeState: ClaudeState = {
  run: null,
  messages: [],
  tools: [],
  asks: [],
  tasks: [],
  inputs: [],
  controls: [],
  todos: [],
  facts: { nativeSessionId: null, model: null, mode: null, cwd: null, commands: null },
  mcp: [],
  compaction: null,
  spent: { costUsd: 0, tokens: {} },
  lastResult: null,
  lifecycles: null,
  begun: false,
  notified: 0,
  lastRow: null,
  history: null,
};
