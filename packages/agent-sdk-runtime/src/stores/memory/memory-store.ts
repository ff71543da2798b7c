import type { AgentRuntimeEvent, ProjectionSnapshot } from "@claxedo/agent-event-runtime";
import type { AskRecord, TurnRecord } from "../../session/session-state.ts";
import type {
  CommitResult,
  NewSession,
  OwnedSession,
  PageOptions,
  ProjectionRow,
  SessionStore,
  SessionWrite,
  StoredSession,
} from "../session-store.ts";
import { MemoryAccess } from "./memory-access.ts";
import type { MemoryDatabase } from "./memory-database.ts";
import * as reads from "./memory-reads.ts";
import { type MemorySession, parsed } from "./memory-session.ts";
import * as writes from "./memory-writes.ts";

/** One opening of a database in memory. */
export class MemoryStore implements SessionStore {
  readonly #access: MemoryAccess;

  constructor(database: MemoryDatabase) {
    this.#access = new MemoryAccess(database);
  }

  get storeId(): string {
    return this.#access.read().storeId;
  }

  get hostId(): string {
    return this.#access.host.hostId;
  }

  async open(role: "host" | "reader"): Promise<void> {
    this.#access.open(role);
  }

  async create(session: NewSession): Promise<OwnedSession> {
    return writes.createSession(this.#access.write(), this.#access.host, session);
  }

  async acquire(sessionId: string): Promise<OwnedSession> {
    return writes.acquireSession(this.#access.write(), this.#access.host, sessionId);
  }

  async release(sessionId: string, epoch: number): Promise<void> {
    writes.releaseSession(this.#access.write(), this.#access.host, sessionId, epoch);
  }

  async commit(all: readonly SessionWrite[]): Promise<readonly CommitResult[]> {
    return writes.commitWrites(this.#access.write(), this.#access.host, all);
  }

  async remove(sessionId: string, epoch: number): Promise<void> {
    writes.removeSession(this.#access.write(), this.#access.host, sessionId, epoch);
  }

  async session(sessionId: string): Promise<StoredSession | undefined> {
    return reads.readSession(this.#access.read(), sessionId);
  }

  async sessions(options?: { readonly limit?: number }): Promise<readonly StoredSession[]> {
    return reads.readSessions(this.#access.read(), options?.limit);
  }

  async unsettled(): Promise<readonly string[]> {
    return reads.readUnsettled(this.#access.read());
  }

  async turn(sessionId: string, turnId: string): Promise<TurnRecord | undefined> {
    const turn = this.#session(sessionId)?.turns.get(turnId);
    return turn === undefined ? undefined : parsed(turn.json);
  }

  async turnByKey(sessionId: string, idempotencyKey: string): Promise<TurnRecord | undefined> {
    const turnId = this.#session(sessionId)?.keys.get(idempotencyKey);
    return turnId === undefined ? undefined : this.turn(sessionId, turnId);
  }

  async turns(sessionId: string, options?: PageOptions): Promise<readonly TurnRecord[]> {
    return reads.readPage(this.#session(sessionId)?.turns.values() ?? [], options);
  }

  async asks(sessionId: string): Promise<readonly AskRecord[]> {
    return reads.readPage(this.#session(sessionId)?.asks.values() ?? [], { limit: Number.POSITIVE_INFINITY });
  }

  async events(sessionId: string, options?: PageOptions): Promise<readonly AgentRuntimeEvent[]> {
    return reads.readEvents(this.#access.read(), sessionId, options);
  }

  async head(sessionId: string): Promise<number | undefined> {
    return reads.readHead(this.#access.read(), sessionId);
  }

  async rows(sessionId: string, projection: string, options?: PageOptions): ReturnType<SessionStore["rows"]> {
    const known = this.#session(sessionId)?.projections.get(projection);
    const rows = reads.readPage<ProjectionRow>(known?.rows.values() ?? [], options);
    return { ...(known === undefined ? undefined : { snapshot: parsed(known.snapshot) }), rows };
  }

  async projection(sessionId: string, projection: string): Promise<ProjectionSnapshot | undefined> {
    const known = this.#session(sessionId)?.projections.get(projection);
    return known === undefined ? undefined : parsed(known.snapshot);
  }

  async version(): Promise<number> {
    return this.#access.read().version;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#access.close();
  }

  #session(sessionId: string): MemorySession | undefined {
    return this.#access.read().sessions.get(sessionId);
  }
}
