import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findMarked } from "../../../src/harness/process-registry.ts";
import type { ConnectRequest, Harness, HarnessConnection } from "../../../src/index.ts";
import { claude, type ClaudeOptions } from "../../../src/harnesses/index.ts";
import { HarnessTalk } from "../../../src/testing/harness-talk.ts";

/** A scripted CLI of these tests. */
export function program(name: string): string {
  return join(import.meta.dirname, "programs", `${name}.mjs`);
}

/** A scripted CLI of the live session's tests. */
export function fake(name: string): string {
  return join(import.meta.dirname, "../../claude/fake/programs", `${name}.mjs`);
}

/** A workspace, and a scripted Claude Code that keeps everything beside it, until it is removed. */
export class ClaudeLab {
  readonly root: string = realpathSync(mkdtempSync(join(tmpdir(), "claxedo-claude-")));
  readonly directory: string = join(this.root, "workspace");
  readonly configDir: string = join(this.root, "config");
  readonly harness: Harness;
  readonly #connections: HarnessConnection[] = [];

  constructor(options: ClaudeOptions = {}) {
    mkdirSync(this.directory);
    const { env, ...more } = options;
    this.harness = claude({
      binary: program("claude"),
      env: { CLAUDE_CONFIG_DIR: this.configDir, ...env },
      ...more,
    });
  }

  /** The mark of everything that is started here. */
  get owner(): string {
    return `lab.${process.pid}.${basename(this.root)}`;
  }

  /** Connects. */
  async connect(request: Partial<ConnectRequest> = {}): Promise<HarnessTalk> {
    const connection = await this.harness.connect({
      sessionId: "lab",
      directory: this.directory,
      owner: `${this.owner}_1`,
      signal: new AbortController().signal,
      ...request,
    });
    this.#connections.push(connection);
    return new HarnessTalk(this.harness, connection, 60_000);
  }

  /** The processes that were started here and live. */
  processes(): readonly number[] {
    return findMarked({ owner: this.owner }).processes.map(({ pid }) => pid);
  }

  /** Waits until something is so. */
  async until(what: string, holds: () => boolean): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (!holds()) {
      if (Date.now() > deadline) throw new Error(`It never came to be that ${what}.`);
      await delay(20);
    }
  }

  /** Removes everything, once every connection is closed. */
  async remove(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close(1000)));
    rmSync(this.root, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.remove();
  }
}
