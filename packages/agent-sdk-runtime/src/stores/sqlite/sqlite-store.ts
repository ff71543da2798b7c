import type { AgentRuntimeEvent, ProjectionSnapshot } from "@claxedo/agent-event-runtime";
import type { AskRecord, TurnRecord } from "../../session/session-state.ts";
import type {
  CommitResult,
  NewSession,
  OwnedSession,
  PageOptions,
  SessionStore,
  SessionWrite,
  StoredSession,
} from "../session-store.ts";
import { commitOf } from "./commit.ts";
import type { Settings } from "./options.ts";
import { acquireSession, createSession, releaseSession, removeSession } from "./ownership.ts";
import * as reads from "./reads.ts";
import { StoreAccess } from "./store-access.ts";

/** The store on one SQLite file. */
export class SqliteStore implements SessionStore {
  readonly #access: StoreAccess;

  constructor(settings: Settings) {
    this.#access = new StoreAccess(settings);
  }

  get storeId(): string {
    return this.#access.opened().storeId;
  }

  get hostId(): string {
    return this.#access.opened().host.hostId;
  }

  async open(role: "host" | "reader"): Promise<void> {
    await this.#access.open(role);
  }

  async create(session: NewSession): Promise<OwnedSession> {
    return this.#access.write((connection) => createSession(connection, session));
  }

  async acquire(sessionId: string): Promise<OwnedSession> {
    return this.#access.write((connection) => acquireSession(connection, sessionId));
  }

  async release(sessionId: string, epoch: number): Promise<void> {
    await this.#access.write((connection) => releaseSession(connection, sessionId, epoch));
  }

  async commit(writes: readonly SessionWrite[]): Promise<readonly CommitResult[]> {
    return this.#access.write(commitOf(writes));
  }

  async remove(sessionId: string, epoch: number): Promise<void> {
    await this.#access.write((connection) => removeSession(connection, sessionId, epoch));
  }

  async session(sessionId: string): Promise<StoredSession | undefined> {
    return this.#access.read((connection) => reads.readSession(connection, sessionId));
  }

  async sessions(options?: { readonly limit?: number }): Promise<readonly StoredSession[]> {
    return this.#access.read((connection) => reads.readSessions(connection, options?.limit));
  }

  async unsettled(): Promise<readonly string[]> {
    return this.#access.read(reads.readUnsettled);
  }

  async turn(sessionId: string, turnId: string): Promise<TurnRecord | undefined> {
    return this.#access.read((connection) => reads.readTurn(connection, sessionId, turnId));
  }

  async turnByKey(sessionId: string, idempotencyKey: string): Promise<TurnRecord | undefined> {
    return this.#access.read((connection) => reads.readTurnByKey(connection, sessionId, idempotencyKey));
  }

  async turns(sessionId: string, options?: PageOptions): Promise<readonly TurnRecord[]> {
    return this.#access.read((connection) => reads.readTurns(connection, sessionId, options));
  }

  async asks(sessionId: string): Promise<readonly AskRecord[]> {
    return this.#access.read((connection) => reads.readAsks(connection, sessionId));
  }

  async events(sessionId: string, options?: PageOptions): Promise<readonly AgentRuntimeEvent[]> {
    return this.#access.read((connection) => reads.readEvents(connection, sessionId, options));
  }

  async head(sessionId: string): Promise<number | undefined> {
    return this.#access.read((connection) => reads.readHead(connection, sessionId));
  }

  async rows(sessionId: string, projection: string, options?: PageOptions): ReturnType<SessionStore["rows"]> {
    return this.#access.read((connection) => reads.readRows(connection, sessionId, projection, options));
  }

  async projection(sessionId: string, projection: string): Promise<ProjectionSnapshot | undefined> {
    return this.#access.read((connection) => reads.readProjection(connection, sessionId, projection));
  }

  async version(): Promise<number> {
    return this.#access.version();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#access.close();
  }
}
