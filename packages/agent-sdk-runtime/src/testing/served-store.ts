import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { messageOf } from "../base/message-of.ts";
import { AgentRuntimeError, type AgentRuntimeErrorCode } from "../errors/agent-runtime-error.ts";
import type { SessionStore } from "../stores/session-store.ts";

/** The methods of a store that can be called from another process. */
export type StoreMethod = Exclude<keyof SessionStore, symbol | "storeId" | "hostId">;

/** A call, as one line of JSON. */
interface StoreCall {
  readonly method: StoreMethod;
  readonly args: readonly unknown[];
}

/** The answer to it, as one line of JSON. `value` is absent for `undefined`. */
export interface StoreAnswer {
  readonly value?: unknown;
  readonly error?: { readonly code?: AgentRuntimeErrorCode; readonly message: string };
  /** Which opening answered, once it is open. */
  readonly host?: { readonly hostId: string; readonly storeId: string };
}

/** Where calls come from and answers go. */
export interface ServeOptions {
  /** Default: standard input. */
  readonly input?: Readable;
  /** Default: standard output. */
  readonly output?: Writable;
}

/**
 * Serves a store to the conformance kit from a process of its own: a line of JSON on standard input is a
 * call, a line on standard output its answer, one after the other. Resolves when the input ends and the
 * store is closed.
 */
export async function serveStore(store: SessionStore, options: ServeOptions = {}): Promise<void> {
  const { input = process.stdin, output = process.stdout } = options;
  let opened = false;
  for await (const line of createInterface({ input })) {
    const { method, args } = JSON.parse(line) as StoreCall;
    const answer = await answered(store, method, args);
    if (method === "open" && answer.error === undefined) opened = true;
    const host = opened ? { host: { hostId: store.hostId, storeId: store.storeId } } : undefined;
    output.write(`${JSON.stringify({ ...answer, ...host })}\n`);
  }
  await store[Symbol.asyncDispose]();
}

async function answered(
  store: SessionStore,
  method: StoreMethod,
  args: readonly unknown[],
): Promise<StoreAnswer> {
  try {
    const call = store[method] as (...args: unknown[]) => Promise<unknown>;
    return { value: await call.apply(store, [...args]) };
  } catch (error) {
    const message = messageOf(error);
    return { error: AgentRuntimeError.is(error) ? { code: error.code, message } : { message } };
  }
}
