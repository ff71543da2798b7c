import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { withDeadline } from "../../../src/base/deadline.ts";
import { Watchable } from "../../../src/base/watchable.ts";
import type { HostOrder } from "./programs/host.ts";
import type { RuntimeTalk } from "./runtime-talk.ts";
import { DEADLINE_MS } from "./workplace.ts";

/** An event as the host has printed it. */
interface SeenEvent {
  readonly sessionId: string;
  readonly seq: number;
  readonly type: string;
}

const program = fileURLToPath(new URL("programs/host.ts", import.meta.url));

/** A host in a process of its own, to be killed. */
export class HostProgram {
  readonly #child: ChildProcess;
  readonly #seen = new Watchable<readonly SeenEvent[]>([]);

  constructor(order: HostOrder, env: Readonly<Record<string, string>>) {
    const args = ["--conditions=@claxedo/source", "--no-warnings", program, JSON.stringify(order)];
    this.#child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (this.#child.stdout === null) throw new Error("A host without an output.");
    createInterface({ input: this.#child.stdout }).on("line", (line) =>
      this.#seen.set([...this.#seen.value, JSON.parse(line) as SeenEvent]),
    );
  }

  /** The first event of that type that it has seen, or sees. */
  async event(type: string): Promise<SeenEvent> {
    const found = this.#seen.until((seen) => seen.some((event) => event.type === type));
    const seen = await withDeadline(found, DEADLINE_MS, `Waiting for ${type} of the host`);
    return seen.find((event) => event.type === type) as SeenEvent;
  }

  /** The session it works on, once that is told. */
  async sessionId(): Promise<string> {
    return (await this.event("turn.started")).sessionId;
  }

  /** Ends it with SIGKILL, if it has not ended, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "close");
  }

  /** What it has seen stands in the log. */
  async expectKept(talk: RuntimeTalk): Promise<void> {
    const events = await talk.events();
    const kept = this.#seen.value.map(({ seq }) => events[seq - 1]?.type);
    expect(kept).toEqual(this.#seen.value.map(({ type }) => type));
  }
}
