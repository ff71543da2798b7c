import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Lane } from "../base/lane.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { SessionStore } from "../stores/session-store.ts";
import type { StoreAnswer, StoreMethod } from "./served-store.ts";

/** A store that is open in another process, see `serveStore`. */
export class RemoteStore {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #lane = new Lane();
  #host: StoreAnswer["host"];

  constructor(command: readonly string[]) {
    const [file = "", ...args] = command;
    this.#child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] });
    // A killed process reads no more: its end is told by the missing answer.
    this.#child.stdin?.on("error", () => undefined);
    this.#child.on("error", () => this.#child.stdout?.destroy());
    this.#lines = createInterface({ input: this.#child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  }

  /** Its process. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Which opening it is; set by `open`. */
  get hostId(): string | undefined {
    return this.#host?.hostId;
  }

  /** Calls a method there. Rejects as it does there, or when the process has ended. */
  async call<Method extends StoreMethod>(
    method: Method,
    ...args: Parameters<SessionStore[Method]>
  ): Promise<Awaited<ReturnType<SessionStore[Method]>>> {
    const answered = await this.#lane.run(async () => {
      this.#child.stdin?.write(`${JSON.stringify({ method, args })}\n`);
      const { value, done } = await this.#lines.next();
      if (done === true)
        throw new Error(`The process that serves the store has ended before it answered ${method}.`);
      const answer = JSON.parse(value) as StoreAnswer;
      if (answer.host !== undefined) this.#host = answer.host;
      const { error } = answer;
      if (error?.code !== undefined) throw new AgentRuntimeError(error.code, error.message);
      if (error !== undefined) throw new Error(error.message);
      return answer.value;
    });
    return answered as Awaited<ReturnType<SessionStore[Method]>>;
  }

  /** Ends the process with SIGKILL and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null)
      return;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }
}
