import type { Kysely } from "kysely";
import type { Prepare, Statement } from "./compiled-statement.ts";
import type { Tables } from "./tables.ts";

/** The statements that make, take, leave and remove sessions, and keep the list of hosts. */
export interface OwnershipStatements {
  readonly create: Statement<NewSessionRow>;
  readonly take: Statement<{ id: string; owner_host: string }>;
  readonly letGo: Statement<{ id: string; owner_host: string; epoch: number }>;
  readonly letAllGo: Statement<{ owner_host: string }>;
  readonly remember: Statement<{ id: string; head_seq: number; last_event: string | null }>;
  readonly removals: readonly Statement<{ session: number }>[];
  readonly addHost: Statement<HostRow>;
  readonly removeHost: Statement<{ host_id: string }>;
  readonly hosts: Statement<Record<never, never>, { host_id: string }>;
}

/** A session's row before its first event. */
type NewSessionRow = {
  id: string;
  directory: string;
  harness: string;
  access: string;
  model: string | null;
  title: string | null;
  created_at: number;
  owner_host: string;
  state: string;
  snapshot: string;
};

type HostRow = {
  host_id: string;
  pid: number;
  boot_id: string | null;
  process_start: string | null;
  opened_at: number;
};

const sessionTables = [
  "events",
  "turns",
  "asks",
  "projections",
  "projection_rows",
  "sessions",
] as const satisfies readonly (keyof Tables)[];

/** Compiles the statements of ownership. */
export function ownershipStatements(db: Kysely<Tables>, prepare: Prepare): OwnershipStatements {
  return {
    ...hostStatements(db, prepare),
    create: createStatement(db, prepare),
    take: prepare((param) =>
      db
        .updateTable("sessions")
        .set((row) => ({ owner_host: param.owner_host, epoch: row("epoch", "+", 1) }))
        .where("id", "=", param.id),
    ),
    letGo: prepare((param) =>
      db
        .updateTable("sessions")
        .set({ owner_host: null })
        .where("id", "=", param.id)
        .where("owner_host", "=", param.owner_host)
        .where("epoch", "=", param.epoch),
    ),
    letAllGo: prepare((param) =>
      db.updateTable("sessions").set({ owner_host: null }).where("owner_host", "=", param.owner_host),
    ),
    remember: prepare(({ id, head_seq, last_event }) =>
      db.insertInto("removed_sessions").values({ id, head_seq, last_event }),
    ),
    removals: sessionTables.map((table) =>
      prepare<{ session: number }>((param) => db.deleteFrom(table).where("session", "=", param.session)),
    ),
  };
}

function hostStatements(
  db: Kysely<Tables>,
  prepare: Prepare,
): Pick<OwnershipStatements, "addHost" | "removeHost" | "hosts"> {
  return {
    addHost: prepare(({ host_id, pid, boot_id, process_start, opened_at }) =>
      db.insertInto("hosts").values({ host_id, pid, boot_id, process_start, opened_at }),
    ),
    removeHost: prepare((param) => db.deleteFrom("hosts").where("host_id", "=", param.host_id)),
    hosts: prepare(() => db.selectFrom("hosts").select("host_id")),
  };
}

function createStatement(db: Kysely<Tables>, prepare: Prepare): OwnershipStatements["create"] {
  return prepare((param) =>
    db.insertInto("sessions").values({
      id: param.id,
      directory: param.directory,
      harness: param.harness,
      access: param.access,
      model: param.model,
      title: param.title,
      created_at: param.created_at,
      updated_at: param.created_at,
      owner_host: param.owner_host,
      epoch: 1,
      head_seq: 0,
      last_position: 0,
      state: param.state,
      snapshot: param.snapshot,
    }),
  );
}
