import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";

/** The built command: tests run what users run. */
const program: string = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/** A home of its own, with a workspace in it. */
export class Home implements Disposable {
  readonly root: string = mkdtempSync(join(tmpdir(), "claxedo-cli-test-"));
  readonly workspace: string = join(this.root, "workspace");
  /** The default store of this home. */
  readonly store: string = join(this.root, "state", "claxedo", "claxedo.db");
  readonly #started: Command[] = [];

  constructor() {
    mkdirSync(this.workspace);
  }

  /** Starts the command here. */
  start(args: readonly string[], env: Environment = {}): Command {
    return this.#spawn(process.execPath, [program, ...args], env);
  }

  /**
   * Starts the command here, on a terminal of its own: both streams are told as `stdout`, with the echo of
   * what is typed into `child.stdin`. `to`: a file that its standard output goes into instead.
   */
  startOnTerminal(args: readonly string[], env: Environment = {}, to?: string): Command {
    const words = [process.execPath, program, ...args].map(quoted).join(" ");
    const line = to === undefined ? `exec ${words}` : `exec ${words} >${quoted(to)}`;
    const plain = { SHELL: "/bin/sh", NO_COLOR: "1" };
    return this.#spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], {
      ...plain,
      ...env,
    });
  }

  #spawn(file: string, args: readonly string[], env: Environment): Command {
    const { CLAXEDO_STORE: _, NO_COLOR: __, ...inherited } = process.env;
    const own = {
      HOME: this.root,
      XDG_STATE_HOME: join(this.root, "state"),
      PI_CODING_AGENT_DIR: join(this.root, "pi"),
      CLAUDE_CONFIG_DIR: join(this.root, "claude"),
    };
    const child = spawn(file, [...args], { cwd: this.workspace, env: { ...inherited, ...own, ...env } });
    const command = new Command(child);
    this.#started.push(command);
    return command;
  }

  /** Runs the command to its end. `input` is what it reads. */
  run(args: readonly string[], input: string | Uint8Array = "", env: Environment = {}): Promise<Ended> {
    const command = this.start(args, env);
    // A command that does not read its input may have ended before it is written.
    command.child.stdin.on("error", () => undefined).end(input);
    return command.ended;
  }

  [Symbol.dispose](): void {
    for (const { child } of this.#started) child.kill("SIGKILL");
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Has a Claude Code run that needs no key and obeys the lines of its prompt: see the program. */
export const scriptedClaude: Environment = {
  CLAUDE_CODE_PATH: fileURLToPath(new URL("./programs/asking.mjs", import.meta.url)),
};

/** Variables beside those of the home. */
export type Environment = Readonly<Record<string, string>>;

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export class Command {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  stdout = "";
  stderr = "";

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stdout.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) => {
      child.once("close", (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr }));
    });
  }

  /** Waits until its output says something; fails when it ends before that. */
  async says(words: string | RegExp, stream: "stdout" | "stderr" = "stdout"): Promise<void> {
    const found = (): boolean =>
      typeof words === "string" ? this[stream].includes(words) : words.test(this[stream]);
    let over = false;
    void this.ended.then(() => (over = true));
    const until = Date.now() + 20_000;
    while (!found()) {
      if (over || Date.now() > until) {
        throw new Error(`It never said ${String(words)}.\nstdout: ${this.stdout}\nstderr: ${this.stderr}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** The lines of JSON output. */
export function jsonLines(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The lines of JSON output that are events. */
export function eventsOf(stdout: string): readonly AgentRuntimeEvent[] {
  return jsonLines(stdout).filter((line) => "v" in line) as unknown as AgentRuntimeEvent[];
}
