import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import type { Console } from "../host/console.ts";
import { TurnRenderer } from "../render/turn-renderer.ts";
import { HostProcess } from "./host-process.ts";
import { markedProcesses } from "./marked-processes.ts";
import { removeScratch, type Scratch } from "./scratch.ts";

/** How long any one step may take, in milliseconds. */
const STEP_MS = 20_000;

/** Where the demonstration happens: its folder, its processes, and what the audience sees. */
export class Stage {
  readonly scratch: Scratch;
  /** Every event that was shown. */
  readonly shown: AgentRuntimeEvent[] = [];
  readonly #console: Console;
  readonly #program: string;
  readonly #stop: AbortSignal;
  readonly #hosts = new Set<HostProcess>();
  /** Names the store in the marks of processes, once it is known. */
  storeId: string | undefined;

  /** `program`: the built command. `stop`: aborted when the audience has had enough. */
  constructor(console: Console, scratch: Scratch, program: string, stop: AbortSignal) {
    this.#console = console;
    this.scratch = scratch;
    this.#program = program;
    this.#stop = stop;
  }

  /** Says something to the audience. */
  say(text: string): Promise<void> {
    return this.#console.stdout.write(`${text}\n`);
  }

  /** Announces the next part. */
  title(text: string): Promise<void> {
    return this.say(`\n${this.#console.paint.out("bold", text)}`);
  }

  /** How a turn looks to the audience. */
  renderer(): TurnRenderer {
    const { out } = this.#console.paint;
    return new TurnRenderer({ live: this.#console.stdout.isTTY, out, err: out });
  }

  /** Shows an event as it comes in. */
  async show(renderer: TurnRenderer, event: AgentRuntimeEvent): Promise<void> {
    this.shown.push(event);
    for (const { text } of renderer.render(event)) await this.#console.stdout.write(text);
  }

  /** Starts the command in a process of its own, on the scratch store. */
  host(...args: readonly string[]): HostProcess {
    const { workspace, store, env } = this.scratch;
    const host = new HostProcess({
      program: this.#program,
      args: [...args, "--store", store, "--json"],
      cwd: workspace,
      env,
    });
    this.#hosts.add(host);
    return host;
  }

  /** Waits for a step, but not for ever, and not once the audience has had enough. */
  async step<Result>(what: string, work: Promise<Result>): Promise<Result> {
    const timeout = AbortSignal.timeout(STEP_MS);
    const late = new Promise<never>((_, reject) => {
      timeout.addEventListener("abort", () =>
        reject(new Error(`${what} took longer than ${STEP_MS / 1000} s.`)),
      );
      this.#stop.addEventListener("abort", () => reject(new Error("The demonstration was stopped.")));
      this.#stop.throwIfAborted();
    });
    return Promise.race([work, late]);
  }

  /** What hosts of this store have started and still runs; `undefined` where that cannot be found out. */
  async running(): Promise<readonly string[] | undefined> {
    const found = this.storeId === undefined ? [] : await markedProcesses(this.storeId);
    return found?.map(({ pid, command }) => `${command} (process ${pid})`);
  }

  /** Ends what was started here and still runs, and removes the folder. */
  async clear(): Promise<void> {
    for (const host of this.#hosts) await host.kill();
    const left = this.storeId === undefined ? [] : await markedProcesses(this.storeId);
    for (const { pid } of left ?? []) end(pid);
    await removeScratch(this.scratch);
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
}
