import {
  appendFileSync,
  lstatSync,
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
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { TranscriptArchive, type ArchiveOptions } from "../../../src/live/archive/archive.ts";
import type { ArchiveReport } from "../../../src/live/archive/archive-report.ts";
import { encodeProjectFolder } from "../../../src/live/archive/project-folder.ts";

export const SESSION = "7123e39e-f3c4-4e7f-9400-9bce78e78aec";
export const MAIN = `${SESSION}.jsonl`;
export const AGENT = `${SESSION}/subagents/agent-a6bbf393bebc67fd1.jsonl`;
export const META = `${SESSION}/subagents/agent-a6bbf393bebc67fd1.meta.json`;

/** What a pass reports that had nothing to do. */
export const nothing: ArchiveReport = { files: 0, bytes: 0, problems: [] };

/** The files of a session with a subagent and a large tool result, as Claude Code 2.1.332 leaves them. */
export const TREE: Readonly<Record<string, string>> = {
  [MAIN]: '{"type":"user","uuid":"1"}\n{"type":"assistant","uuid":"2"}\n{"type":"last-prompt"}\n',
  [AGENT]: '{"isSidechain":true,"type":"user","uuid":"3"}\n',
  [META]: '{"agentType":"general-purpose","spawnDepth":1}',
  [`${SESSION}/tool-results/bdu46b8n7.txt`]: Array.from({ length: 30_000 }, (_, n) => `${n + 1}\n`).join(""),
};

/** A CLI's folders and an archive's, in a folder of one test that `remove` removes. */
export class Scene {
  readonly root: string = realpathSync(mkdtempSync(join(tmpdir(), "claxedo-archive-")));
  readonly configDir: string = join(this.root, "config");
  readonly projects: string = join(this.configDir, "projects");
  readonly cwd: string = join(this.root, "workspace");
  readonly project: string = join(this.projects, encodeProjectFolder(this.cwd));
  readonly directory: string = join(this.root, "archive");

  constructor() {
    mkdirSync(this.project, { recursive: true });
    mkdirSync(this.cwd);
  }

  archive(options: Partial<ArchiveOptions> = {}, signal?: AbortSignal): TranscriptArchive {
    const { configDir, cwd, directory } = this;
    return new TranscriptArchive({ configDir, cwd }, { directory, ...options }, signal);
  }

  /** Where a file of the transcript is, in a folder that is there. */
  source(path: string): string {
    mkdirSync(dirname(join(this.project, path)), { recursive: true });
    return join(this.project, path);
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) writeFileSync(this.source(path), text);
  }

  append(path: string, text: string): void {
    appendFileSync(this.source(path), text);
  }

  copy(path: string): string {
    return join(this.directory, path);
  }

  sources(): ReadonlyMap<string, string> {
    return readTree(this.project);
  }

  copies(): ReadonlyMap<string, string> {
    return readTree(this.directory);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The ordinary files below a folder, byte for byte. */
function readTree(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  const files = names.filter((name) => lstatSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

/** The permissions of a file or folder, as in `chmod`. */
export function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

/** A scene that goes when the test is over. */
export function newScene(): Scene {
  const scene = new Scene();
  onTestFinished(() => scene.remove());
  return scene;
}
