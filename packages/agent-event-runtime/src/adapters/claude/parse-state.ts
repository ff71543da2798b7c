import type { Json } from "../../base/json.ts";
import type { KeyedList } from "../../base/keyed-list.ts";
import { field, record } from "../../base/read.ts";
import { parseUsage } from "../../event/usage.ts";
import type {
  ClaudeAsk,
  ClaudeCompaction,
  ClaudeControl,
  ClaudeFacts,
  ClaudeHistory,
  ClaudeInput,
  ClaudeMessage,
  ClaudePart,
  ClaudeRun,
  ClaudeServer,
  ClaudeState,
  ClaudeTask,
  ClaudeTodo,
  ClaudeTool,
} from "./claude-state.ts";

type Reader<Value> = (value: unknown) => Value | undefined;

const string: Reader<string> = (value) => (typeof value === "string" ? value : undefined);
const boolean: Reader<boolean> = (value) => (typeof value === "boolean" ? value : undefined);
const finite: Reader<number> = (value) =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

function oneOf<Value extends string>(...values: readonly Value[]): Reader<Value> {
  return (value) => values.find((known) => known === value);
}

function nullable<Value>(read: Reader<Value>): Reader<Value | null> {
  return (value) => (value === null ? null : read(value));
}

function all<Value>(read: Reader<Value>): Reader<readonly Value[]> {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map(read).filter((item) => item !== undefined);
    return items.length === value.length ? items : undefined;
  };
}

function keyed<Value>(read: Reader<Value>): Reader<KeyedList<Value>> {
  return all((entry) => {
    if (!Array.isArray(entry) || entry.length !== 2 || typeof entry[0] !== "string") return undefined;
    const item = read(entry[1]);
    return item === undefined ? undefined : ([entry[0], item] as const);
  });
}

type Fields<Value> = { readonly [Key in keyof Value]-?: Reader<Value[Key]> };

/** All of these fields, each as its reader wants it. */
function shape<Value extends object>(fields: Fields<Value>): Reader<Value> {
  const readers = Object.entries(fields) as readonly (readonly [string, Reader<unknown>])[];
  return (value) => {
    if (record(value) === undefined) return undefined;
    const read = readers.map(([key, reader]) => [key, reader(field(value, key))] as const);
    return read.every(([, item]) => item !== undefined) ? (Object.fromEntries(read) as Value) : undefined;
  };
}

const failure: Reader<NonNullable<ClaudeMessage["error"]>> = (value) => {
  const message = string(field(value, "message"));
  const code = string(field(value, "code"));
  const status = finite(field(value, "status"));
  if (message === undefined) return undefined;
  return {
    message,
    ...(code === undefined ? undefined : { code }),
    ...(status === undefined ? undefined : { status }),
  };
};

const readRun = shape<ClaudeRun>({
  runId: string,
  origin: oneOf("user", "harness"),
  interrupted: boolean,
  worked: boolean,
  notified: boolean,
});

const readPart = shape<ClaudePart>({
  kind: oneOf("text", "reasoning", "tool", "other"),
  ended: boolean,
  mark: nullable(string),
});

const readMessage = shape<ClaudeMessage>({
  vendorId: nullable(string),
  messageId: string,
  streamed: boolean,
  ended: boolean,
  whole: boolean,
  aborted: boolean,
  error: nullable(failure),
  model: nullable(string),
  usage: nullable(parseUsage),
  frame: nullable(string),
  parts: keyed(readPart),
});

const readTodo = shape<ClaudeTodo>({ text: string, status: oneOf("pending", "active", "done") });

const readTool = shape<ClaudeTool>({
  callId: string,
  name: string,
  agent: all(string),
  runId: nullable(string),
  path: nullable(string),
  whole: boolean,
  partial: nullable(string),
  denied: boolean,
  plan: nullable(string),
  todos: nullable(all(readTodo)),
});

const readAsk = shape<ClaudeAsk>({
  kind: oneOf("permission", "question", "host"),
  requestId: string,
  tool: nullable(string),
  agent: all(string),
  runId: nullable(string),
  fields: (value) => all(string)(value ?? []),
});

const readTask = shape<ClaudeTask>({
  taskId: string,
  kind: oneOf("agent", "background"),
  call: nullable(string),
  title: nullable(string),
  agent: all(string),
  runId: nullable(string),
  told: boolean,
  outcome: nullable(oneOf("completed", "failed", "cancelled")),
  over: boolean,
});

const readInputFields = shape<Omit<ClaudeInput, "holdsMore">>({
  inputId: string,
  uuid: nullable(string),
  mark: string,
  seen: boolean,
  joined: boolean,
  echoed: boolean,
  due: boolean,
  passed: boolean,
  compacts: boolean,
});

const readInput: Reader<ClaudeInput> = (value) => {
  const input = readInputFields(value);
  const holdsMore = field(value, "holdsMore");
  if (input === undefined || holdsMore === undefined) return input;
  return holdsMore === true ? { ...input, holdsMore } : undefined;
};

const readHistory = shape<ClaudeHistory>({
  known: boolean,
  end: oneOf("open", "command", "handled", "answered", "failed", "aborted_streaming", "aborted_tools"),
  counted: nullable(string),
  usage: parseUsage,
});

const readState = shape<ClaudeState>({
  run: nullable(readRun),
  messages: keyed(readMessage),
  tools: keyed(readTool),
  asks: keyed(readAsk),
  tasks: keyed(readTask),
  inputs: all(readInput),
  controls: keyed(shape<ClaudeControl>({ subtype: string, value: nullable(string) })),
  todos: keyed(readTodo),
  facts: shape<ClaudeFacts>({
    nativeSessionId: nullable(string),
    model: nullable(string),
    mode: nullable(string),
    cwd: nullable(string),
    commands: nullable(string),
  }),
  mcp: keyed(shape<ClaudeServer>({ status: string, message: nullable(string) })),
  compaction: nullable(shape<ClaudeCompaction>({ compactionId: string, done: boolean })),
  spent: shape<ClaudeState["spent"]>({ costUsd: finite, tokens: parseUsage }),
  lastResult: nullable(string),
  lifecycles: nullable(boolean),
  begun: boolean,
  notified: finite,
  lastRow: nullable(string),
  history: nullable(readHistory),
});

/** The stored state, or `undefined` when any of it is not as this version writes it. */
export function parseClaudeState(value: Json): ClaudeState | undefined {
  return readState(value);
}
