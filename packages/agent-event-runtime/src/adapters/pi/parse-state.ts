import type { Json } from "../../base/json.ts";
import type { KeyedList } from "../../base/keyed-list.ts";
import { field, flag, number, text } from "../../base/read.ts";
import { parseUsage } from "../../event/usage.ts";
import type { PiInput, PiMessage, PiPart, PiQuestion, PiRun, PiShell, PiState, PiTool } from "./pi-state.ts";

type Reader<Value> = (value: unknown) => Value | undefined;

/** The stored state, or `undefined` when any of it is not as this version writes it. */
export function parsePiState(value: Json): PiState | undefined {
  const run = nullable(field(value, "run"), readRun);
  const message = nullable(field(value, "message"), readMessage);
  const tools = keyed(field(value, "tools"), readTool);
  const inputs = all(field(value, "inputs"), readInput);
  const shells = all(field(value, "shells"), readShell);
  const questions = keyed(field(value, "questions"), readQuestion);
  const compaction = nullable(field(value, "compaction"), readText);
  const seen = count(value, "seen");
  const told = count(value, "told");
  if (run === undefined || message === undefined || compaction === undefined) return undefined;
  if (tools === undefined || inputs === undefined || shells === undefined || questions === undefined)
    return undefined;
  if (seen === undefined || told === undefined) return undefined;
  return { run, message, tools, inputs, shells, questions, compaction, seen, told };
}

const readText: Reader<string> = (value) => (typeof value === "string" ? value : undefined);
const readNumber: Reader<number> = (value) =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

const readRun: Reader<PiRun> = (value) => {
  const runId = text(value, "runId");
  const flags = FLAGS.map((key) => flag(value, key));
  const [joined, ended, settles, continues, retryCancelled] = flags;
  const stopReason = nullable(field(value, "stopReason"), readText);
  const errorMessage = nullable(field(value, "errorMessage"), readText);
  const usage = nullable(field(value, "usage"), parseUsage);
  const costUsd = nullable(field(value, "costUsd"), readNumber);
  if (runId === undefined || joined === undefined || ended === undefined || settles === undefined)
    return undefined;
  if (continues === undefined || retryCancelled === undefined) return undefined;
  if (stopReason === undefined || errorMessage === undefined || usage === undefined || costUsd === undefined)
    return undefined;
  return {
    runId,
    joined,
    ended,
    settles,
    continues,
    retryCancelled,
    stopReason,
    errorMessage,
    usage,
    costUsd,
  };
};

const FLAGS = ["joined", "ended", "settles", "continues", "retryCancelled"] as const;

const readMessage: Reader<PiMessage> = (value) => {
  const messageId = text(value, "messageId");
  const frame = number(value, "frame");
  const role = text(value, "role");
  const parts = keyed(field(value, "parts"), readPart);
  if (messageId === undefined || frame === undefined || parts === undefined) return undefined;
  return role === "user" || role === "assistant" ? { messageId, frame, role, parts } : undefined;
};

const readPart: Reader<PiPart> = (value) => {
  const kind = text(value, "kind");
  const ended = flag(value, "ended");
  const callId = nullable(field(value, "callId"), readText);
  if (ended === undefined || callId === undefined) return undefined;
  return kind === "text" || kind === "reasoning" || kind === "tool" ? { kind, ended, callId } : undefined;
};

const readTool: Reader<PiTool> = (value) => {
  const callId = text(value, "callId");
  const name = text(value, "name");
  const path = nullable(field(value, "path"), readText);
  const input = nullable(field(value, "input"), readText);
  const output = nullable(field(value, "output"), readText);
  if (callId === undefined || name === undefined) return undefined;
  if (path === undefined || input === undefined || output === undefined) return undefined;
  return { callId, name, path, input, output };
};

const readInput: Reader<PiInput> = (value) => {
  const inputId = text(value, "inputId");
  const ask = nullable(field(value, "ask"), readText);
  const command = text(value, "command");
  const texts = all(field(value, "texts"), readText);
  const [queues, answered, accepted, joined] = ["queues", "answered", "accepted", "joined"].map((key) =>
    flag(value, key),
  );
  if (inputId === undefined || ask === undefined || texts === undefined) return undefined;
  if (command !== "prompt" && command !== "steer" && command !== "follow_up") return undefined;
  if (queues === undefined || answered === undefined || accepted === undefined || joined === undefined)
    return undefined;
  const input: PiInput = { inputId, ask, command, queues, texts, answered, accepted, joined };
  const holdsMore = field(value, "holdsMore");
  if (holdsMore === undefined) return input;
  return holdsMore === true ? { ...input, holdsMore } : undefined;
};

const readShell: Reader<PiShell> = (value) => {
  const ask = nullable(field(value, "ask"), readText);
  const callId = text(value, "callId");
  return ask === undefined || callId === undefined ? undefined : { ask, callId };
};

const readQuestion: Reader<PiQuestion> = (value) => {
  const requestId = text(value, "requestId");
  const runId = nullable(field(value, "runId"), readText);
  const method = text(value, "method");
  const expiresAt = nullable(field(value, "expiresAt"), readNumber);
  if (requestId === undefined || runId === undefined || method === undefined || expiresAt === undefined)
    return undefined;
  return { requestId, runId, method, expiresAt };
};

function count(value: unknown, key: string): number | undefined {
  const found = number(value, key);
  return found !== undefined && Number.isInteger(found) && found >= 0 ? found : undefined;
}

function nullable<Value>(value: unknown, read: Reader<Value>): Value | null | undefined {
  return value === null ? null : read(value);
}

function all<Value>(value: unknown, read: Reader<Value>): readonly Value[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map(read).filter((item) => item !== undefined);
  return items.length === value.length ? items : undefined;
}

function keyed<Value>(value: unknown, read: Reader<Value>): KeyedList<Value> | undefined {
  return all(value, (entry) => {
    if (!Array.isArray(entry) || entry.length !== 2 || typeof entry[0] !== "string") return undefined;
    const item = read(entry[1]);
    return item === undefined ? undefined : ([entry[0], item] as const);
  });
}
