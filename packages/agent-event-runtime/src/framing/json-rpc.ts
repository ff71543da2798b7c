import { toJson } from "../base/json.ts";
import { field, number, record, text } from "../base/read.ts";
import { EXCERPT_BYTES } from "./line.ts";

/** The id of a request. The answer carries it as it is, so `0` and `"0"` are two ids. */
export type JsonRpcId = string | number;

/** What a peer says in JSON-RPC. */
export type JsonRpcMessage =
  | { readonly kind: "request"; readonly id: JsonRpcId; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown }
  | { readonly kind: "response"; readonly id: JsonRpcId; readonly result: unknown }
  | {
      readonly kind: "error";
      /** `null` when the peer could not tell whose error it is. */ readonly id: JsonRpcId | null;
      readonly error: JsonRpcError;
    };

/** Why a request failed. */
export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A value that is no message of JSON-RPC. Fits wherever translation wants a frame. */
export interface JsonRpcFault {
  readonly kind: "broken";
  /** The beginning of the value as JSON, at most 1024 characters. */
  readonly text: string;
  /** The length of the value as JSON, in bytes of UTF-8. */
  readonly bytes: number;
  readonly reason: "not JSON-RPC";
  readonly at: number;
}

/**
 * Reads one value as a message of JSON-RPC 2.0. The member `jsonrpc` may be missing, since some peers
 * leave it out; a batch is no message. Never throws.
 */
export function readJsonRpc(payload: unknown, at: number): JsonRpcMessage | JsonRpcFault {
  const value = record(payload);
  return (value === undefined ? undefined : (call(value) ?? answer(value))) ?? fault(payload, at);
}

function call(value: object): JsonRpcMessage | undefined {
  const method = text(value, "method");
  if (method === undefined) return undefined;
  const given = field(value, "id");
  const params = field(value, "params");
  if (given === undefined || given === null) return { kind: "notification", method, params };
  const id = idOf(given);
  return id === undefined ? undefined : { kind: "request", id, method, params };
}

function answer(value: object): JsonRpcMessage | undefined {
  if (field(value, "method") !== undefined) return undefined;
  const given = field(value, "id");
  const id = idOf(given);
  const error = field(value, "error") ?? undefined;
  if (error !== undefined && (id !== undefined || given === undefined || given === null)) {
    return { kind: "error", id: id ?? null, error: errorOf(error) };
  }
  if (id === undefined || error !== undefined || !Object.hasOwn(value, "result")) return undefined;
  return { kind: "response", id, result: field(value, "result") };
}

function idOf(value: unknown): JsonRpcId | undefined {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value))
    ? value
    : undefined;
}

/**
 * A peer that fails may also fail to say it well: the code 0 and an empty message stand for what it left
 * out.
 */
function errorOf(error: unknown): JsonRpcError {
  const data = field(error, "data");
  return {
    code: number(error, "code") ?? 0,
    message: typeof error === "string" ? error : (text(error, "message") ?? ""),
    ...(data === undefined ? undefined : { data }),
  };
}

function fault(payload: unknown, at: number): JsonRpcFault {
  const json = JSON.stringify(toJson(payload) ?? null);
  return {
    kind: "broken",
    text: json.slice(0, EXCERPT_BYTES),
    bytes: utf8Length(json),
    reason: "not JSON-RPC",
    at,
  };
}

function utf8Length(json: string): number {
  let bytes = 0;
  for (const character of json) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
