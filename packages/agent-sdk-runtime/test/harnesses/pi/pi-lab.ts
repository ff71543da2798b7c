import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentRuntimeEvent,
  emptySnapshot,
  type Json,
  piAdapter,
  type RawFrame,
  type RuntimeSnapshot,
  translate,
  type WireFrame,
} from "@claxedo/agent-event-runtime";
import { onTestFinished } from "vitest";
import type { Harness } from "../../../src/harness/harness.ts";
import type { HarnessConnection } from "../../../src/harness/harness-connection.ts";
import { pi } from "../../../src/harnesses/index.ts";

/** An event of one type. */
export type EventOf<Type extends AgentRuntimeEvent["type"]> = Extract<AgentRuntimeEvent, { type: Type }>;

/** A fresh directory that goes when the test is over. */
export function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), "claxedo-pi-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A workspace, and a pi that keeps everything beside it. */
export class PiLab {
  readonly root: string = scratch();
  readonly directory: string = mkdtempSync(join(this.root, "workspace-"));
  readonly agentDir: string = join(this.root, "agent");
  readonly sessionDir: string = join(this.root, "sessions");
  readonly harness: Harness = pi({ agentDir: this.agentDir, sessionDir: this.sessionDir });
  owner = `store.host.lab-${process.pid}-${Date.now()}_1`;

  /** Connects; the connection is closed when the test is over. */
  async connect(facts: { readonly model?: string; readonly binding?: Json } = {}): Promise<Talk> {
    const connection = await this.harness.connect({
      sessionId: "lab",
      directory: this.directory,
      owner: this.owner,
      signal: new AbortController().signal,
      ...facts,
    });
    onTestFinished(() => connection.close(2000));
    return new Talk(connection);
  }
}

/** A host in small: writes, reads and translates. */
export class Talk {
  readonly connection: HarnessConnection;
  readonly frames: RawFrame[] = [];
  #snapshot: RuntimeSnapshot = emptySnapshot("lab");
  #inputs = 0;
  #looked = 0;
  /** Every event so far. */
  readonly said: AgentRuntimeEvent[] = [];

  constructor(connection: HarnessConnection) {
    this.connection = connection;
  }

  /** Hands a prompt over. */
  async send(text: string, turnId = "turn-1", handover?: string): Promise<void> {
    this.#inputs += 1;
    const inputId = `i${this.#inputs}`;
    const before = handover === undefined ? undefined : { handover };
    const parts = [{ type: "text", text }] as const;
    await this.#write(this.connection.prompt({ turnId, inputId, parts, ...before }));
  }

  /** Asks pi to stop. */
  async interrupt(): Promise<void> {
    await this.#write(this.connection.interrupt());
  }

  /** Reads until an event is there, or fails when the connection is over before. */
  async until<Type extends AgentRuntimeEvent["type"]>(
    type: Type,
    fits: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    for (;;) {
      while (this.#looked < this.said.length) {
        const event = this.said[this.#looked++];
        if (event?.type === type && fits(event as EventOf<Type>)) return event as EventOf<Type>;
      }
      const frames = await this.connection.read();
      if (frames === undefined)
        throw new Error(`over before ${type}: ${this.connection.exit?.message ?? ""}`);
      for (const frame of frames) this.take(frame);
    }
  }

  /** Sends a prompt and reads to the end of its run. */
  async run(text: string, turnId?: string): Promise<EventOf<"run.ended">> {
    await this.send(text, turnId);
    return this.until("run.ended");
  }

  /** Translates a frame. */
  take(frame: RawFrame): void {
    this.frames.push(frame);
    const { snapshot, events } = translate(piAdapter, this.#snapshot, frame);
    this.#snapshot = snapshot;
    this.said.push(...events);
  }

  /** Every event of a type so far. */
  all<Type extends AgentRuntimeEvent["type"]>(type: Type): readonly EventOf<Type>[] {
    return this.said.filter((event): event is EventOf<Type> => event.type === type);
  }

  /** What the model has said so far, its parts on lines of their own. */
  get text(): string {
    const own = new Set(
      this.all("message.started").map(({ role, messageId }) => (role === "assistant" ? messageId : "")),
    );
    const parts = this.all("part.ended").filter((part) => own.has(part.messageId));
    return parts.map((part) => part.text).join("\n");
  }

  async #write(frame: WireFrame): Promise<void> {
    this.take(frame);
    await this.connection.write(frame);
  }
}
