import type { AgentRuntimeEvent, EventOf, EventType, Json } from "../../src/index.ts";

/** The type with every optional field there, all the way down. */
type Whole<Type> = [Json] extends [Type]
  ? Json
  : Type extends readonly (infer Item)[]
    ? readonly Whole<Item>[]
    : Type extends object
      ? { readonly [Key in keyof Type]-?: Whole<Type[Key]> }
      : Type;

type Bodies = {
  readonly [Type in EventType]: Omit<Whole<EventOf<Type>>, keyof typeof ENVELOPE | "type"> &
    Partial<Pick<typeof ENVELOPE, "turnId" | "runId">>;
};

const ENVELOPE = {
  v: 1,
  seq: 7,
  sessionId: "session-1",
  time: 1_700_000_000_000,
  adapter: "pi",
  frame: 3,
  turnId: "turn-1",
  runId: "run-1",
  agent: ["task-1", "task-0"],
  late: true,
  replayed: true,
} as const;

const error = { message: "no", code: "overloaded", status: 529 };
const usage = {
  inputTokens: 1,
  outputTokens: 2,
  cacheReadTokens: 3,
  cacheWriteTokens: 4,
  reasoningTokens: 5,
  totalTokens: 15,
};
const verdict = {
  outcome: "failed",
  reason: "harness.error",
  stopReason: "stop",
  error,
  usage,
  costUsd: 0.25,
} as const;
const parts = [
  { type: "text", text: "Do it." },
  { type: "command", text: "/compact" },
  { type: "image", mediaType: "image/png", data: "AA==" },
] as const;
const native = { id: 7, constructor: [null, true, "x", { ["__proto__"]: 0.5 }] };
const locations = [{ path: "a.txt", line: 4 }];

/** One body of each type with every field that the type has: a field without an example does not compile. */
const BODIES: Bodies = {
  "session.updated": {
    title: "A title",
    model: "mock/one",
    mode: "plan",
    cwd: "/tmp",
    commands: ["/help"],
    capabilities: { fork: true },
  },
  "session.status": { status: "busy" },
  "session.deleted": {},
  "recovery.started": { hostId: "host-1" },
  "recovery.ended": {},
  "harness.started": {
    harnessId: "pi",
    access: "native",
    connection: 1,
    nativeSessionId: "native-1",
    model: "model-1",
    resumed: false,
  },
  "harness.updated": { nativeSessionId: "native-2" },
  "harness.ended": { reason: "crashed", exit: { code: 1, signal: "SIGKILL", message: "killed" } },
  "turn.queued": { inputId: "in-1", input: parts, idempotencyKey: "key" },
  "turn.started": {},
  "turn.ended": verdict,
  "run.started": { origin: "harness", cause: "task" },
  "run.ended": verdict,
  "input.sent": { inputId: "in-1", parts, steer: true, synthetic: true },
  "input.joined": { inputId: "in-1" },
  "input.ended": { inputId: "in-1", outcome: "refused", error },
  "message.started": { messageId: "m-1", role: "user", inputId: "in-1", synthetic: true },
  "message.delta": { messageId: "m-1", partId: "p-1", kind: "reasoning", text: "Wor" },
  "part.added": {
    messageId: "m-1",
    partId: "p-2",
    kind: "resource",
    mediaType: "text/plain",
    data: "AA",
    uri: "file:///a",
  },
  "part.ended": { messageId: "m-1", partId: "p-1", kind: "text", text: "Working." },
  "message.ended": { messageId: "m-1", outcome: "superseded", model: "mock/one", usage, error },
  "tool.started": {
    callId: "c-1",
    messageId: "m-1",
    name: "bash",
    kind: "execute",
    title: "make",
    input: { command: "make" },
    locations,
  },
  "tool.input.delta": { callId: "c-1", text: '{"command"' },
  "tool.updated": { callId: "c-1", title: "make", input: native, output: "ok", locations },
  "tool.output.delta": { callId: "c-1", stream: "stderr", text: "ok" },
  "tool.ended": { callId: "c-1", outcome: "denied", output: "ok", exitCode: 2, durationMs: 1.5 },
  "tool.amended": { callId: "c-1", outcome: "failed", output: "not ok" },
  "file.changed": { path: "a.txt", change: "moved", diff: "-a\n+b", callId: "c-1" },
  "plan.updated": { text: "First this." },
  "todo.updated": { items: [{ text: "this", status: "dropped" }] },
  "permission.requested": {
    requestId: "q-1",
    callId: "c-1",
    title: "Run make?",
    options: [{ optionId: "yes", label: "Yes", effect: "allow", scope: "session" }],
    native,
  },
  "permission.ended": { requestId: "q-1", outcome: "expired", by: "policy", scope: "always" },
  "question.requested": {
    requestId: "q-2",
    callId: "c-1",
    questions: [{ prompt: "Which?", options: [{ label: "A", description: "the first" }], multiple: true }],
    native: null,
  },
  "question.ended": { requestId: "q-2", outcome: "rejected", by: "harness", answers: ["A"] },
  "task.started": { taskId: "t-1", kind: "background", callId: "c-1", title: "Look around" },
  "task.updated": { taskId: "t-1", summary: "Looking" },
  "task.ended": { taskId: "t-1", outcome: "abandoned", summary: "Seen" },
  "usage.updated": {
    scope: "message",
    semantics: "delta",
    messageId: "m-1",
    usage,
    costUsd: 0.5,
  },
  "ratelimit.updated": { status: "rejected", resetsAt: 1_700_000_000_000 },
  "retry.scheduled": { attempt: 1, max: 3, delayMs: 2000, error },
  "compaction.started": { compactionId: "k-1", cause: "overflow" },
  "compaction.ended": {
    compactionId: "k-1",
    outcome: "completed",
    tokensBefore: 100,
    tokensAfter: 10,
    error,
  },
  "auth.updated": { status: "required", message: "Log in." },
  "mcp.updated": { server: "files", status: "failed", message: "no such program" },
  "notice.added": { level: "error", text: "By the way." },
  diagnostic: {
    code: "my.code",
    severity: "info",
    message: "A frame was skipped.",
    detail: native,
    count: 10,
  },
};

/** One event of each type with every field that its type has. */
export const fullEvents: readonly AgentRuntimeEvent[] = Object.entries(BODIES).map(
  ([type, body]) => ({ ...ENVELOPE, type, ...body }) as unknown as AgentRuntimeEvent,
);

/** The same, to be told apart by type. */
export function fullEvent(type: EventType): AgentRuntimeEvent {
  return fullEvents.find((event) => event.type === type) as AgentRuntimeEvent;
}
