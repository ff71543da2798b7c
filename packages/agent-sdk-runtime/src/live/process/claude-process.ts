import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createNdjsonDecoder, type NdjsonFault, type NdjsonFrame } from "@claxedo/agent-event-runtime";
import { messageOf } from "../../base/message-of.ts";
import { settlesWithin } from "../../base/deadline.ts";
import { CLIError } from "../cli-error.ts";
import { commandOf } from "./find-binary.ts";
import { KILL_TAKES_MS, ProcessTree } from "./process-tree.ts";
import { secretsOf } from "./redacted.ts";
import { StderrTail } from "./stderr-tail.ts";

/** What a process is started with. */
export interface ClaudeProcessOptions {
  readonly binary: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Holds `CLAXEDO_OWNER`: the mark by which its children are found. */
  readonly env: Readonly<Record<string, string>>;
  readonly owner: string;
}

/** How it ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How far the reader of an output has come. */
interface Reading {
  chunks: number;
  /** For the next chunk. */
  waiting: boolean;
}

/** After the end of the process its output may be held open by what it started. */
const OUTPUT_LINGERS_MS = 500;

/** One running CLI: its lines, its input, its end. */
export class ClaudeProcess {
  readonly pid: number;
  /** Resolves with its end, whatever that is. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #tree: ProcessTree;
  readonly #stderr: StderrTail;

  private constructor(
    child: ChildProcessWithoutNullStreams,
    pid: number,
    owner: string,
    secrets: readonly string[],
  ) {
    this.pid = pid;
    this.#child = child;
    this.#tree = new ProcessTree(pid, owner);
    this.#stderr = new StderrTail(child.stderr, secrets);
    this.ended = endOf(child);
    // A write to a CLI that has ended is reported to its writer, a signal that had no effect shows in the wait.
    child.stdin.on("error", () => undefined);
    child.on("error", () => undefined);
  }

  /** Starts it. Rejects with the fault `spawn-failed`. */
  static async start(options: ClaudeProcessOptions): Promise<ClaudeProcess> {
    const { binary, cwd, env, owner } = options;
    await checkDirectory(cwd);
    const { command, args } = commandOf(binary, options.args);
    try {
      // In a process group of its own: a Ctrl-C in the host's terminal is the host's to handle.
      const child = spawn(command, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
      await once(child, "spawn");
      if (child.pid === undefined) throw new Error("it has no process id");
      return new ClaudeProcess(child, child.pid, owner, secretsOf(env));
    } catch (cause) {
      const reason = messageOf(cause);
      throw new CLIError({ kind: "spawn-failed" }, `${binary} could not be started: ${reason}`, { cause });
    }
  }

  /** How it ended, as far as is known. */
  get exit(): ProcessEnd {
    return { code: this.#child.exitCode, signal: this.#child.signalCode };
  }

  /** The end of what it wrote to stderr, without secrets. */
  get stderrTail(): string {
    return this.#stderr.text;
  }

  /** Its end, once what it wrote to stderr has come, too. */
  async over(): Promise<ProcessEnd> {
    const end = await this.ended;
    await settlesWithin(this.#stderr.ended, OUTPUT_LINGERS_MS);
    return end;
  }

  /** What it writes, in order, ending with it. Not read means not taken from the pipe. One reader. */
  async *lines(): AsyncGenerator<NdjsonFrame | NdjsonFault, void> {
    const decoder = createNdjsonDecoder();
    const reading: Reading = { chunks: 0, waiting: true };
    void this.ended.then(() => giveUpOutput(this.#child.stdout, reading));
    try {
      for await (const chunk of this.#child.stdout) {
        reading.chunks += 1;
        reading.waiting = false;
        yield* decoder.push(chunk as Uint8Array, Date.now());
        reading.waiting = true;
      }
    } catch {
      // The pipe broke with the process, or was given up after its end: what came is all there is.
    }
    yield* decoder.end(Date.now());
  }

  /** Writes text to it. Resolves when the pipe has taken it, rejects when it cannot any more. */
  write(text: string): Promise<void> {
    const { stdin } = this.#child;
    return new Promise((resolve, reject) => {
      stdin.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Reads no more of what it wrote. */
  abandonOutput(): void {
    this.#child.stdout.destroy();
  }

  /** Takes down what it has started, while that can be seen. `end` does so too. */
  noteTree(): void {
    this.#tree.look();
  }

  /** No more input: the CLI finishes what it has, then ends. */
  endInput(): void {
    this.#child.stdin.end();
  }

  /**
   * Ends it within `limitMs`: waits for half of that, then SIGTERM, then SIGKILL, then whatever it left
   * running. Whatever the limit, SIGKILL is given the moment that it takes.
   */
  async end(limitMs: number): Promise<void> {
    this.noteTree();
    this.endInput();
    for (const [signal, waitMs] of [
      [undefined, limitMs / 2],
      ["SIGTERM", limitMs / 4],
      ["SIGKILL", Math.max(limitMs / 8, KILL_TAKES_MS)],
    ] as const) {
      if (signal !== undefined) this.#child.kill(signal);
      if (await settlesWithin(this.ended, waitMs)) break;
    }
    await this.endTree(limitMs / 8);
  }

  /** Ends what it has left running. */
  async endTree(limitMs: number): Promise<void> {
    await this.#tree.end(limitMs);
  }
}

function endOf(child: ChildProcessWithoutNullStreams): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
}

/** Ends an output from which nothing comes any more, however slow its reader is. */
async function giveUpOutput(output: Readable, reading: Reading): Promise<void> {
  for (let seen = -1; !output.destroyed; seen = reading.chunks) {
    if (reading.waiting && seen === reading.chunks) output.destroy();
    else await delay(OUTPUT_LINGERS_MS, undefined, { ref: false });
  }
}

async function checkDirectory(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new CLIError(
    { kind: "spawn-failed" },
    `There is no directory ${cwd} for Claude Code to work in: create it, or choose another.`,
  );
}
