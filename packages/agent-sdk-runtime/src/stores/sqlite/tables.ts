import type { Generated } from "kysely";

/** Facts about the whole store, by name. */
interface MetaTable {
  readonly name: string;
  readonly value: string;
}

/** Openings that write. A row may outlive its host: the lease file tells whether the host lives. */
interface HostsTable {
  readonly host_id: string;
  readonly pid: number;
  readonly boot_id: string | null;
  readonly process_start: string | null;
  readonly opened_at: number;
}

/** One row a session; `state`, `binding` and `snapshot` are JSON. */
export interface SessionsTable {
  /** Stands for the session in every other table; never given out twice. */
  readonly session: Generated<number>;
  readonly id: string;
  readonly directory: string;
  readonly harness: string;
  readonly access: string;
  readonly model: string | null;
  readonly title: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly owner_host: string | null;
  readonly epoch: number;
  readonly head_seq: number;
  readonly last_commit_id: string | null;
  readonly last_position: number;
  readonly state: string;
  readonly binding: string | null;
  readonly snapshot: string;
}

/** What is left of a removed session: its id is not used again, and its streams end with its last event. */
interface RemovedSessionsTable {
  readonly id: string;
  readonly head_seq: number;
  readonly last_event: string | null;
}

/** The log: rows are added, never changed. `position` ascends over all sessions. */
interface EventsTable {
  readonly position: Generated<number>;
  readonly session: number;
  readonly seq: number;
  readonly type: string;
  readonly body: string;
}

/** Turns, found by id, by idempotency key, by order, and by being open. */
export interface TurnsTable {
  readonly session: number;
  readonly turn_id: string;
  readonly queued_seq: number;
  readonly status: string;
  readonly idempotency_key: string | null;
  readonly body: string;
}

/** Questions and permission requests. */
export interface AsksTable {
  readonly session: number;
  readonly request_id: string;
  readonly seq: number;
  readonly status: string;
  readonly body: string;
}

/** Where each projection stands. */
export interface ProjectionsTable {
  readonly session: number;
  readonly projection: string;
  readonly snapshot: string;
}

/** The output of projections. */
export interface ProjectionRowsTable {
  readonly session: number;
  readonly projection: string;
  readonly row_id: string;
  readonly ordinal: number;
  readonly body: string;
}

/** The schema after the latest migration. */
export interface Tables {
  readonly meta: MetaTable;
  readonly hosts: HostsTable;
  readonly sessions: SessionsTable;
  readonly removed_sessions: RemovedSessionsTable;
  readonly events: EventsTable;
  readonly turns: TurnsTable;
  readonly asks: AsksTable;
  readonly projections: ProjectionsTable;
  readonly projection_rows: ProjectionRowsTable;
}
