import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AgentRuntimeEvent, createNdjsonDecoder } from "@claxedo/agent-event-runtime";

/** How a host process is started. */
export interface HostCommand {
  /** The built command. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How it ended. */
export interface HostExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A `claxedo … --json` in a process of its own. */
export class HostProcess {
  readonly #child: ChildProcess;
  readonly #exit: Promise<HostExit>;
  #complaints = "";

  constructor({ program, args, cwd, env }: HostCommand) {
    this.#child = spawn(process.execPath, [program, ...args], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#exit = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      // Not `exit`: its output is to be read to the end.
      this.#child.once("close", (code, signal) => resolve({ code, signal }));
    });
    this.#exit.catch(() => undefined);
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-4_000);
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What it said on stderr, the end of it. */
  get complaints(): string {
    return this.#complaints.trimEnd();
  }

  /** The events it prints, as it prints them; ends with its output. */
  async *events(): AsyncGenerator<AgentRuntimeEvent> {
    const decoder = createNdjsonDecoder();
    const { stdout } = this.#child;
    if (stdout === null) return;
    for await (const chunk of stdout as AsyncIterable<Uint8Array>) {
      for (const line of decoder.push(chunk, 0))
        if ("payload" in line && isEvent(line.payload)) yield line.payload;
    }
  }

  /** Waits until it has ended. */
  ended(): Promise<HostExit> {
    return this.#exit;
  }

  /** Ends it at once and waits until it is gone. */
  async kill(): Promise<HostExit> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const gone = once(this.#child, "exit");
      this.#child.kill("SIGKILL");
      await gone;
    }
    this.#child.stdout?.destroy();
    return { code: this.#child.exitCode, signal: this.#child.signalCode };
  }
}

/** The last line, the result, is none. */
function isEvent(payload: unknown): payload is AgentRuntimeEvent {
  return typeof payload === "object" && payload !== null && "seq" in payload && "v" in payload;
}
