import { appendFile } from "node:fs/promises";
import type { SessionStore } from "@claxedo/agent-sdk-runtime";

/** A store that also writes every event it has accepted to a file, one line each: a trail that others can read. */
export function auditedStore(inner: SessionStore, path: string): SessionStore {
  return {
    get storeId() {
      return inner.storeId;
    },
    get hostId() {
      return inner.hostId;
    },
    open: (role) => inner.open(role),
    create: (session) => inner.create(session),
    acquire: (sessionId) => inner.acquire(sessionId),
    release: (sessionId, epoch) => inner.release(sessionId, epoch),
    remove: (sessionId, epoch) => inner.remove(sessionId, epoch),
    async commit(writes) {
      const heads = new Map<string, number>();
      for (const { sessionId } of writes) heads.set(sessionId, (await inner.head(sessionId)) ?? 0);
      const results = await inner.commit(writes);
      // A commit that is repeated is answered as done, and its events were written before.
      const events = writes
        .filter((_, index) => results[index]?.ok === true)
        .flatMap((write) => write.events.filter(({ seq }) => seq > (heads.get(write.sessionId) ?? 0)));
      if (events.length > 0)
        await appendFile(path, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
      return results;
    },
    session: (sessionId) => inner.session(sessionId),
    sessions: (options) => inner.sessions(options),
    unsettled: () => inner.unsettled(),
    turn: (sessionId, turnId) => inner.turn(sessionId, turnId),
    turnByKey: (sessionId, key) => inner.turnByKey(sessionId, key),
    turns: (sessionId, page) => inner.turns(sessionId, page),
    asks: (sessionId) => inner.asks(sessionId),
    events: (sessionId, page) => inner.events(sessionId, page),
    head: (sessionId) => inner.head(sessionId),
    rows: (sessionId, projection, page) => inner.rows(sessionId, projection, page),
    projection: (sessionId, projection) => inner.projection(sessionId, projection),
    version: () => inner.version(),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}
