import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { SessionStore } from "../session-store.ts";
import { MemoryDatabase } from "./memory-database.ts";
import { MemoryStore } from "./memory-store.ts";

/** Sessions in memory, for stores that share them. Nothing can be done with it but to hand it to those. */
export interface SharedMemory {
  /** Names it in process marks. */
  readonly storeId: string;
}

/** What a store in memory is made with. */
export interface MemoryStoreOptions {
  /** What it shares with other stores of this process; default: nothing, and its sessions go when it is closed. */
  readonly of?: SharedMemory;
}

/**
 * A store in the memory of this process: for tests, and for hosts whose sessions need not outlive them. It
 * keeps every promise of the contract but that one.
 */
export function memoryStore(options: MemoryStoreOptions = {}): SessionStore {
  const { of = new MemoryDatabase() } = options;
  if (of instanceof MemoryDatabase) return new MemoryStore(of);
  throw new AgentRuntimeError("invalid-input", "`of` of a store in memory is what `memoryDatabase()` made.");
}

/**
 * Sessions for several stores of this process, which then are to each other as hosts in different processes
 * are: `memoryStore({ of: memoryDatabase() })`.
 */
export function memoryDatabase(): SharedMemory {
  return new MemoryDatabase();
}
