import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import { messageOf } from "../base/message-of.ts";
import { delay } from "../base/deadline.ts";
import type { Watchable } from "../base/watchable.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { SessionStore } from "../stores/session-store.ts";
import { sessionNotFound, type HostSessions } from "./host-sessions.ts";
import type { SubscribeOptions } from "./runtime-api.ts";

const PAGE = 500;
/** How often the store is asked for commits of other hosts, in milliseconds. */
const POLL = 50;
/** How long a stream waits on a session of this host before it looks where the session is now, in milliseconds. */
const LOOK_AGAIN = 1_000;

/** Where a stream reads from, and what ends it. */
export interface StreamSource {
  readonly store: SessionStore;
  readonly hosted: HostSessions;
  /** Aborted when the runtime is closed. */
  readonly closing: AbortSignal;
}

/** The events of one session after a cursor: read from the store, then as they are committed. */
export async function* streamEvents(
  source: StreamSource,
  options: SubscribeOptions,
): AsyncGenerator<AgentRuntimeEvent> {
  const { store, closing } = source;
  const { sessionId } = options;
  const stop = options.signal === undefined ? closing : AbortSignal.any([closing, options.signal]);
  let cursor = options.after ?? 0;
  if ((await checkCursor(store, sessionId, cursor)) === "ended") return;
  while (!stop.aborted) {
    const page = await readPage(store, sessionId, cursor);
    for (const event of page) {
      if (stop.aborted) return;
      yield event;
      if (
        event.type === "session.deleted" ||
        (event.type === "diagnostic" && event.code === "store.unreadable")
      )
        return;
      cursor = event.seq;
    }
    if (page.length === 0 && !(await moreThan(source, sessionId, cursor, stop))) return;
  }
}

/** Whether there may be more after the cursor: not in a removed session whose last event was seen. */
async function checkCursor(
  store: SessionStore,
  sessionId: string,
  cursor: number,
): Promise<"open" | "ended"> {
  const head = await store.head(sessionId);
  if (head === undefined) throw sessionNotFound(sessionId);
  if (cursor > head || !Number.isInteger(cursor) || cursor < 0) {
    const message = `The cursor ${cursor} is not in the log of session ${sessionId}, which ends at ${head}.`;
    throw new AgentRuntimeError("cursor-ahead", message);
  }
  return cursor === head && (await store.session(sessionId)) === undefined ? "ended" : "open";
}

/** A stream that has begun ends with a diagnostic rather than an error: what was read stays good. */
async function readPage(
  store: SessionStore,
  sessionId: string,
  cursor: number,
): Promise<readonly AgentRuntimeEvent[]> {
  try {
    return await store.events(sessionId, { after: cursor, limit: PAGE });
  } catch (error) {
    if (AgentRuntimeError.is(error) && error.code === "closed") return [];
    const message = `The log cannot be read after ${cursor}: ${messageOf(error)}`;
    const seq = cursor + 1;
    return [
      {
        v: 1,
        seq,
        sessionId,
        time: Date.now(),
        adapter: "",
        type: "diagnostic",
        code: "store.unreadable",
        severity: "error",
        message,
      },
    ];
  }
}

/** Waits until the log is longer than the cursor; false when it never will be. */
async function moreThan(
  source: StreamSource,
  sessionId: string,
  cursor: number,
  stop: AbortSignal,
): Promise<boolean> {
  const held = source.hosted.held(sessionId);
  const runner = held === undefined ? undefined : await held.catch(() => undefined);
  if (runner !== undefined) {
    await headOrPause(runner.log.head, cursor, stop);
    return !stop.aborted;
  }
  return foreignCommit(source.store, sessionId, cursor, stop);
}

/** Returns when the head has passed the cursor, or after a while: the runner may have been given up meanwhile. */
async function headOrPause(head: Watchable<number>, cursor: number, stop: AbortSignal): Promise<void> {
  const enough = new AbortController();
  // A pending timer also keeps the process alive for as long as somebody waits for events.
  const pause = setTimeout(() => enough.abort(), LOOK_AGAIN);
  await head.until((seq) => seq > cursor, AbortSignal.any([stop, enough.signal])).catch(() => undefined);
  clearTimeout(pause);
}

async function foreignCommit(
  store: SessionStore,
  sessionId: string,
  cursor: number,
  stop: AbortSignal,
): Promise<boolean> {
  try {
    const before = await store.version();
    const head = await store.head(sessionId);
    if (head === undefined) return false;
    if (head > cursor) return true;
    do await delay(POLL);
    while (!stop.aborted && (await store.version()) === before);
    return !stop.aborted;
  } catch (error) {
    // The next read tells what is wrong with the store.
    return !(AgentRuntimeError.is(error) && error.code === "closed");
  }
}
