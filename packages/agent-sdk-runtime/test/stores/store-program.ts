import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("fixtures/store-program.ts", import.meta.url));

/** The command line that runs the program. */
export function storeCommand(...args: string[]): string[] {
  return [process.execPath, "--conditions=@claxedo/source", "--no-warnings", program, ...args];
}

/** A process that works on a store, and what it says. */
export class StoreProgram {
  readonly child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(command: readonly string[], options?: SpawnOptions) {
    const [file = "", ...args] = command;
    this.child = spawn(file, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.child.stdout! })[Symbol.asyncIterator]();
  }

  /** Gives it the word it waits for. */
  tell(): void {
    this.child.stdin?.write("go\n");
  }

  /** The next thing it says; `undefined` when it has ended. */
  async next<Value>(): Promise<Value | undefined> {
    const { value, done } = await this.#lines.next();
    return done === true ? undefined : (JSON.parse(value) as Value);
  }

  /** Everything it still says. */
  async rest<Value>(): Promise<Value[]> {
    const said: Value[] = [];
    for (let value = await this.next<Value>(); value !== undefined; value = await this.next<Value>()) {
      said.push(value);
    }
    return said;
  }

  /** How it ended: `null` after a signal. */
  async exitCode(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "exit");
    return this.child.exitCode;
  }

  /** Ends it with SIGKILL and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill("SIGKILL");
    await once(this.child, "exit");
  }
}

/** Runs the program on a store. */
export function runStore(...args: string[]): StoreProgram {
  return new StoreProgram(storeCommand(...args));
}
