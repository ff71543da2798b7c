import type { EventDraft, EventType, RunEnded } from "../event/agent-runtime-event.ts";

/** What can be open in a session. */
export type OpenKind =
  | "turn"
  | "run"
  | "input"
  | "message"
  | "tool"
  | "permission"
  | "question"
  | "task"
  | "compaction"
  | "harness"
  | "recovery";

/** Something that has started and not ended. */
export interface OpenItem {
  readonly kind: OpenKind;
  readonly id: string;
  readonly runId?: string;
  readonly turnId?: string;
  readonly agent?: readonly string[];
  /** The task that carries on this tool call: the end of its run does not end it. */
  readonly taskId?: string;
  /** Set on the turn the session works on. */
  readonly started?: true;
}

/** Something that has ended. */
export interface RecentItem {
  readonly kind: OpenKind;
  readonly id: string;
  readonly runId?: string;
  readonly turnId?: string;
  readonly agent?: readonly string[];
}

/** The books of a session: what is open, in order of opening, and what ended last. */
export interface OpenBooks {
  readonly open: readonly OpenItem[];
  readonly recent: readonly RecentItem[];
}

const RECENT_LIMIT = 64;

type Role = readonly [role: "start" | "middle" | "end" | "after", kind: OpenKind, key: string];

/** How each event type that speaks of an item bears on the books. Types that are not here speak of none. */
const ROLES: { readonly [Type in EventType]?: Role } = {
  "turn.queued": ["start", "turn", "turnId"],
  "turn.started": ["middle", "turn", "turnId"],
  "turn.ended": ["end", "turn", "turnId"],
  "run.started": ["start", "run", "runId"],
  "run.ended": ["end", "run", "runId"],
  "input.sent": ["start", "input", "inputId"],
  "input.joined": ["middle", "input", "inputId"],
  "input.ended": ["end", "input", "inputId"],
  "message.started": ["start", "message", "messageId"],
  "message.delta": ["middle", "message", "messageId"],
  "part.added": ["middle", "message", "messageId"],
  "part.ended": ["middle", "message", "messageId"],
  "message.ended": ["end", "message", "messageId"],
  "tool.started": ["start", "tool", "callId"],
  "tool.input.delta": ["middle", "tool", "callId"],
  "tool.updated": ["middle", "tool", "callId"],
  "tool.output.delta": ["middle", "tool", "callId"],
  "tool.ended": ["end", "tool", "callId"],
  "tool.amended": ["after", "tool", "callId"],
  "permission.requested": ["start", "permission", "requestId"],
  "permission.ended": ["end", "permission", "requestId"],
  "question.requested": ["start", "question", "requestId"],
  "question.ended": ["end", "question", "requestId"],
  "task.started": ["start", "task", "taskId"],
  "task.updated": ["middle", "task", "taskId"],
  "task.ended": ["end", "task", "taskId"],
  "compaction.started": ["start", "compaction", "compactionId"],
  "compaction.ended": ["end", "compaction", "compactionId"],
  "harness.started": ["start", "harness", ""],
  "harness.ended": ["end", "harness", ""],
  "recovery.started": ["start", "recovery", ""],
  "recovery.ended": ["end", "recovery", ""],
};

/** The open item of that kind and id. */
export function findOpen(books: OpenBooks, kind: OpenKind, id: string): OpenItem | undefined {
  for (const item of books.open) if (item.kind === kind && item.id === id) return item;
  return undefined;
}

/** The item of that kind and id, if it ended lately. */
export function findRecent(books: OpenBooks, kind: OpenKind, id: string): RecentItem | undefined {
  for (let index = books.recent.length - 1; index >= 0; index -= 1) {
    const item = books.recent[index];
    if (item?.kind === kind && item.id === id) return item;
  }
  return undefined;
}

/** What the books know of a draft's envelope. */
interface Bearing {
  readonly runId?: string;
  readonly turnId?: string;
  readonly agent?: readonly string[];
  readonly late?: true;
}

/** A draft that fits the books, with its bearing; or why it does not fit. */
export type Entry =
  | { readonly ok: true; readonly books: OpenBooks; readonly bearing: Bearing }
  | { readonly ok: false; readonly reason: string };

/** Enters one draft into the books. */
export function enter(books: OpenBooks, draft: EventDraft): Entry {
  const role = ROLES[draft.type];
  if (role === undefined) return { ok: true, books, bearing: bearingOf(books, draft, undefined) };
  const [part, kind, key] = role;
  const id = key === "" ? kind : ((draft as unknown as Record<string, unknown>)[key] as string);
  const open = findOpen(books, kind, id);
  const item = open ?? findRecent(books, kind, id);
  const fault = misfit(part, kind, open, item);
  if (fault !== undefined) return { ok: false, reason: `${draft.type} of ${kind} "${id}", ${fault}` };
  const bearing = bearingOf(books, draft, item);
  if (part === "start") return { ok: true, books: started(books, kind, id, draft, bearing), bearing };
  if (part === "end") return { ok: true, books: ended(books, kind, id), bearing };
  return { ok: true, books: touched(books, draft), bearing };
}

/** Why an event of that role does not fit an item that is open, has ended, or is not known. */
function misfit(
  part: Role[0],
  kind: OpenKind,
  open: OpenItem | undefined,
  known: OpenItem | RecentItem | undefined,
): string | undefined {
  if (part === "start") {
    if (open !== undefined) return "which is open already";
    // A host connects to a harness, and recovers a session, many times: those items have no id of their own.
    const named = kind !== "harness" && kind !== "recovery";
    return named && known !== undefined ? "which has ended" : undefined;
  }
  if (part === "after") return open === undefined ? undefined : "which is still open";
  if (open !== undefined) return undefined;
  return known === undefined ? "which never started" : "which has ended";
}

function bearingOf(books: OpenBooks, draft: EventDraft, item: OpenItem | RecentItem | undefined): Bearing {
  const runId = draft.runId ?? item?.runId;
  const open = runId === undefined ? undefined : findOpen(books, "run", runId);
  const run = open ?? (runId === undefined ? undefined : findRecent(books, "run", runId));
  const turnId = ownTurn(books, draft) ?? item?.turnId ?? run?.turnId;
  const agent = draft.agent ?? item?.agent;
  const late = runId !== undefined && draft.type !== "run.started" && open === undefined;
  const bearing: { -readonly [Fact in keyof Bearing]: Bearing[Fact] } = {};
  if (runId !== undefined) bearing.runId = runId;
  if (turnId !== undefined) bearing.turnId = turnId;
  if (agent !== undefined) bearing.agent = agent;
  if (late || draft.late) bearing.late = true;
  return bearing;
}

/** Inputs that users typed, and runs that users caused, belong to the turn the session works on. */
function ownTurn(books: OpenBooks, draft: EventDraft): string | undefined {
  switch (draft.type) {
    case "turn.queued":
    case "turn.started":
    case "turn.ended":
      return draft.turnId;
    case "input.sent":
      return draft.synthetic ? undefined : currentTurn(books);
    case "run.started":
      return draft.origin === "user" ? currentTurn(books) : undefined;
    default:
      return undefined;
  }
}

function currentTurn(books: OpenBooks): string | undefined {
  return books.open.find((item) => item.kind === "turn" && item.started)?.id;
}

function started(
  books: OpenBooks,
  kind: OpenKind,
  id: string,
  draft: EventDraft,
  bearing: Bearing,
): OpenBooks {
  const { late: _, ...known } = bearing;
  const item: OpenItem = { kind, id, ...known };
  const open = [...books.open, item];
  if (draft.type !== "task.started" || draft.callId === undefined) return { ...books, open };
  const { callId } = draft;
  return { ...books, open: amend(open, "tool", callId, { taskId: id }) };
}

function ended(books: OpenBooks, kind: OpenKind, id: string): OpenBooks {
  const item = findOpen(books, kind, id);
  const recent: RecentItem = {
    kind,
    id,
    ...(item?.runId === undefined ? undefined : { runId: item.runId }),
    ...(item?.turnId === undefined ? undefined : { turnId: item.turnId }),
    ...(item?.agent === undefined ? undefined : { agent: item.agent }),
  };
  return {
    open: books.open.filter((known) => known !== item),
    recent: [...books.recent, recent].slice(-RECENT_LIMIT),
  };
}

function touched(books: OpenBooks, draft: EventDraft): OpenBooks {
  if (draft.type === "turn.started")
    return { ...books, open: amend(books.open, "turn", draft.turnId, { started: true }) };
  if (draft.type !== "input.joined") return books;
  const turnId = findOpen(books, "input", draft.inputId)?.turnId;
  const run = findOpen(books, "run", draft.runId);
  const open = amend(books.open, "input", draft.inputId, { runId: draft.runId });
  return run !== undefined && run.turnId === undefined && turnId !== undefined
    ? { ...books, open: amend(open, "run", draft.runId, { turnId }) }
    : { ...books, open };
}

function amend(
  open: readonly OpenItem[],
  kind: OpenKind,
  id: string,
  facts: Partial<OpenItem>,
): readonly OpenItem[] {
  return open.map((item) => (item.kind === kind && item.id === id ? { ...item, ...facts } : item));
}

/** What must end before the run does: its open items, innermost first, except what moved to a task. */
export function endsOfRun(books: OpenBooks, run: RunEnded): readonly EventDraft[] {
  const cancelled = run.outcome === "cancelled";
  // An input is answered when the harness itself ended the run; other evidence leaves open what became of it.
  const input = cancelled ? "cancelled" : run.reason.startsWith("harness.") ? "answered" : "lost";
  return books.open
    .filter(
      (item) =>
        item.runId === run.runId && item.kind !== "run" && item.kind !== "task" && item.taskId === undefined,
    )
    .sort(byDepth)
    .map((item) => endOf(item, cancelled ? "cancelled" : "abandoned", input))
    .filter((draft) => draft !== undefined);
}

/**
 * What must end when the connection is over: everything open that belongs to the harness. Turns, the
 * connection itself and a recovery are the host's to end.
 */
export function endsOfConnection(books: OpenBooks, reason: "ended" | "lost"): readonly EventDraft[] {
  return [...books.open]
    .sort(byDepth)
    .map((item) => endOf(item, "abandoned", "lost", reason))
    .filter((draft) => draft !== undefined);
}

const DEPTH: { readonly [Kind in OpenKind]: number } = {
  permission: 0,
  question: 0,
  tool: 1,
  message: 2,
  compaction: 2,
  task: 3,
  input: 4,
  run: 5,
  harness: 6,
  turn: 7,
  recovery: 8,
};

function byDepth(a: OpenItem, b: OpenItem): number {
  return DEPTH[a.kind] - DEPTH[b.kind];
}

function endOf(
  item: OpenItem,
  outcome: "cancelled" | "abandoned",
  input: "cancelled" | "answered" | "lost",
  reason?: "ended" | "lost",
): EventDraft | undefined {
  switch (item.kind) {
    case "permission":
      return { type: "permission.ended", requestId: item.id, outcome: "cancelled", by: "harness" };
    case "question":
      return { type: "question.ended", requestId: item.id, outcome: "cancelled", by: "harness" };
    case "tool":
      return { type: "tool.ended", callId: item.id, outcome };
    case "message":
      return { type: "message.ended", messageId: item.id, outcome };
    case "compaction":
      return { type: "compaction.ended", compactionId: item.id, outcome };
    case "task":
      return { type: "task.ended", taskId: item.id, outcome };
    case "input":
      return { type: "input.ended", inputId: item.id, outcome: input };
    case "run":
      return {
        type: "run.ended",
        runId: item.id,
        outcome: "failed",
        reason: `connection-${reason ?? "ended"}`,
      };
    case "turn":
    case "harness":
    case "recovery":
      return undefined;
  }
}
