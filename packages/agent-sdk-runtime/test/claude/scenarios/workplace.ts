import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { delay } from "../../../src/base/deadline.ts";
import { encodeProjectFolder } from "../../../src/live/archive/project-folder.ts";

/** How long anything may take that a scenario waits for: this machine may be busy. */
export const DEADLINE_MS = 30_000;

/** Folders of their own for one scenario: a workspace, a home, and what Claude Code keeps. */
export class Workplace {
  readonly root: string;
  readonly workspace: string;
  /** Claude Code's configuration and transcripts. */
  readonly configDir: string;
  /** What makes a program live here, and nowhere else. */
  readonly homes: Readonly<Record<string, string>>;

  constructor() {
    this.root = mkdtempSync(join(realpathSync(tmpdir()), "claxedo-scenario-"));
    const [workspace, config, home, tmp] = ["workspace", "config", "home", "tmp"].map((name) => {
      mkdirSync(join(this.root, name));
      return join(this.root, name);
    }) as [string, string, string, string];
    this.workspace = workspace;
    this.configDir = config;
    this.homes = { HOME: home, CLAUDE_CONFIG_DIR: config, TMPDIR: tmp, CLAUDE_CODE_TMPDIR: tmp };
  }

  /** A path in the workspace. */
  path(name: string): string {
    return join(this.workspace, name);
  }

  /** Writes a file into the workspace. */
  write(name: string, content: string | Uint8Array): string {
    writeFileSync(this.path(name), content);
    return this.path(name);
  }

  /** A file of the workspace. */
  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  /** Whether the workspace has it. */
  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  /** The files below a folder with what is in them, sorted by their names. */
  tree(folder: string): readonly (readonly [name: string, content: string])[] {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
    const files = names.filter((name) => statSync(join(folder, name)).isFile());
    return files.map((name) => [name, readFileSync(join(folder, name), "utf8")]);
  }

  /** Where Claude Code keeps the transcripts of this workspace. */
  get projectFolder(): string {
    return join(this.configDir, "projects", encodeProjectFolder(this.workspace));
  }

  /** The rows of a session's transcript. */
  transcript(sessionId: string): readonly Readonly<Record<string, unknown>>[] {
    const lines = readFileSync(join(this.projectFolder, `${sessionId}.jsonl`), "utf8")
      .trimEnd()
      .split("\n");
    return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  }

  /** Whether a prompt stands in a transcript of this workspace. */
  hasTranscript(): boolean {
    return (
      existsSync(this.projectFolder) &&
      this.tree(this.projectFolder).some(([, content]) => content.includes('"type":"user"'))
    );
  }

  /** Takes all transcripts away. */
  forgetTranscripts(): void {
    rmSync(join(this.configDir, "projects"), { recursive: true });
  }

  /** Whether the process runs whose id a command has written into this file. */
  isRunning(name: string): boolean {
    const pid = this.has(name) ? Number(this.read(name)) : 0;
    if (pid <= 0) return false;
    // One that only waits to be reaped can still be signalled.
    if (processFile(pid, "status").includes("\nState:\tZ")) return false;
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }

  /** The processes that live here, by their command lines; none where there is no /proc. */
  inhabitants(): readonly { readonly pid: number; readonly command: string }[] {
    if (!existsSync("/proc/self/environ")) return [];
    const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
    const here = pids.filter((pid) => processFile(pid, "environ").includes(this.root));
    return here.map((pid) => ({ pid, command: processFile(pid, "cmdline").replaceAll("\0", " ") }));
  }

  /** Waits for what nobody tells. */
  async until(what: string, test: () => boolean): Promise<void> {
    for (const end = Date.now() + DEADLINE_MS; !test(); await delay(20))
      if (Date.now() > end) throw new Error(`In ${DEADLINE_MS} ms it did not come to this: ${what}.`);
  }

  /** Takes the folders away. */
  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Empty for a process that is gone or is not ours. */
function processFile(pid: number, file: "environ" | "cmdline" | "status"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
