import { randomUUID } from "node:crypto";
import type { HostInfo } from "../session-store.ts";
import type { MemorySession } from "./memory-session.ts";

/** What is left of a removed session: its last event, as JSON, for the streams that have not seen it. */
export interface RemovedSession {
  readonly headSeq: number;
  readonly lastEvent?: string;
}

/** The sessions that stores of one process share. It lasts as long as somebody holds it. */
export class MemoryDatabase {
  readonly storeId: string = randomUUID();
  readonly sessions: Map<string, MemorySession> = new Map();
  readonly removed: Map<string, RemovedSession> = new Map();
  /** The openings that write. */
  readonly hosts: Map<string, HostInfo> = new Map();
  #position = 0;
  #version = 0;

  /** Rises with everything that is written. */
  get version(): number {
    return this.#version;
  }

  /** Notes that something was written. */
  changed(): void {
    this.#version += 1;
  }

  /** The position of the next event; none is given twice. */
  nextPosition(): number {
    this.#position += 1;
    return this.#position;
  }
}
