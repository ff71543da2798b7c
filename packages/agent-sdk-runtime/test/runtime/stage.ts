import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { AgentRuntimeEvent, EventOf, EventType } from "@claxedo/agent-event-runtime";
import {
  createAgentRuntime,
  type AgentRuntime,
  type AgentRuntimeOptions,
  type Harness,
  type Session,
  type SessionStore,
} from "@claxedo/agent-sdk-runtime";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import { scriptedClaude } from "@claxedo/agent-sdk-runtime/testing";

/** A folder with a store for each test, and the hosts that work on it. */
export interface RuntimeStage {
  readonly folder: string;
  /** A host of that store, closed after the test. */
  host(options?: Partial<AgentRuntimeOptions>, store?: SessionStore): AgentRuntime;
  newStore(): SessionStore;
}

/** Makes one before each test, and takes it away after. */
export function runtimeStage(): RuntimeStage {
  let folder = "";
  const open: AgentRuntime[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "claxedo-facade-"));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((runtime) => runtime.close()));
    await rm(folder, { recursive: true, force: true });
  });
  const newStore = (): SessionStore => sqliteStore({ path: join(folder, "store.db") });
  return {
    get folder() {
      return folder;
    },
    newStore,
    host(options = {}, store = newStore()) {
      const runtime = createAgentRuntime({ store, harnesses: [scriptedClaude()], ...options });
      open.push(runtime);
      return runtime;
    },
  };
}

/** A session of the only harness that a runtime has. */
export function newSession(
  runtime: AgentRuntime,
  directory: string,
  harness: Pick<Harness, "id"> = { id: "claude" },
): Promise<Session> {
  return runtime.sessions.create({ directory, harness: { id: harness.id } });
}

/** The first event of that type, after a cursor, that there is or will be. */
export async function eventOf<Type extends EventType>(
  runtime: AgentRuntime,
  sessionId: string,
  type: Type,
  after = 0,
): Promise<EventOf<Type>> {
  for await (const event of runtime.events.subscribe({
    sessionId,
    after,
    signal: AbortSignal.timeout(20_000),
  }))
    if (isOf(event, type)) return event;
  throw new Error(`There was no ${type} in time.`);
}

/** All events of that type so far. */
export async function eventsOf<Type extends EventType>(
  runtime: AgentRuntime,
  sessionId: string,
  type: Type,
): Promise<readonly EventOf<Type>[]> {
  const events = await runtime.events.list(sessionId, { limit: 100_000 });
  return events.filter((event) => isOf(event, type));
}

function isOf<Type extends EventType>(event: AgentRuntimeEvent, type: Type): event is EventOf<Type> {
  return event.type === type;
}
