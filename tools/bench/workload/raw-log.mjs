// The floor of appending: the same event rows and one row of 2 kB, in one transaction of the plain driver.
import Database from "better-sqlite3";
import { prose } from "./pi-frames.mjs";

/** @typedef {import("@claxedo/agent-event-runtime").AgentRuntimeEvent} AgentRuntimeEvent */

const state = { text: prose(1900), list: [1, 2, 3], more: { id: "x", open: true } };

/** Opens a database with a table of events like the store's, and one row of state. @param {string} path */
export function rawLog(path) {
  const sqlite = new Database(path);
  sqlite.pragma("journal_mode = wal");
  sqlite.pragma("synchronous = normal");
  sqlite.pragma("wal_autocheckpoint = 1000");
  sqlite.exec(`
    create table state (id integer primary key, body text not null) strict;
    create table events (position integer primary key autoincrement, session integer not null, seq integer not null,
      type text not null, body text not null, unique (session, seq)) strict;
    insert into state values (1, '');
  `);
  const insert = sqlite.prepare("insert into events (session, seq, type, body) values (?, ?, ?, ?)");
  const update = sqlite.prepare("update state set body = ? where id = 1");
  let session = 0;
  let count = 0;
  const append = sqlite.transaction((/** @type {readonly AgentRuntimeEvent[]} */ events) => {
    for (const event of events) insert.run(session, event.seq, event.type, JSON.stringify(event));
    count += 1;
    update.run(JSON.stringify({ ...state, count }));
  });
  return {
    /** What follows is another session's. */
    next: () => {
      session += 1;
    },
    append: (/** @type {readonly AgentRuntimeEvent[]} */ events) => append.immediate(events),
    close: () => {
      sqlite.close();
    },
  };
}
