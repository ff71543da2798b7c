import { randomUUID } from "node:crypto";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { encodeProjectFolder } from "../../../src/live/archive/project-folder.ts";

interface Row {
  readonly uuid: string;
  readonly [field: string]: unknown;
}

/** The transcript of one session on disk. Without CLAUDE_CONFIG_DIR nothing is written: never into a real home. */
export class Transcript {
  readonly sessionId: string;
  /** The file; `undefined` where none is written. */
  readonly path: string | undefined;
  /** Ids of the inputs that the session has had. */
  readonly known = new Set<string>();
  readonly #cwd: string;
  #parent: string | null = null;
  #held: Row[] | undefined;

  private constructor(sessionId: string, cwd: string, path: string | undefined) {
    this.sessionId = sessionId;
    this.path = path;
    this.#cwd = cwd;
    if (path !== undefined) mkdirSync(dirname(path), { recursive: true });
    if (path !== undefined && existsSync(path)) this.#learn(readFileSync(path, "utf8"));
  }

  /** The transcript of a new session, in the folder of its working directory. */
  static create(sessionId: string, cwd: string): Transcript {
    const projects = projectsFolder();
    const folder = projects === undefined ? undefined : join(projects, encodeProjectFolder(cwd));
    return new Transcript(sessionId, cwd, folder && join(folder, `${sessionId}.jsonl`));
  }

  /** The one of an id, in whichever folder it is; `undefined` if there is none. */
  static find(sessionId: string, cwd: string): Transcript | undefined {
    const projects = projectsFolder();
    if (projects === undefined || !existsSync(projects)) return undefined;
    const paths = readdirSync(projects).map((name) => join(projects, name, `${sessionId}.jsonl`));
    const path = paths.find((each) => existsSync(each));
    return path === undefined ? undefined : new Transcript(sessionId, cwd, path);
  }

  /** A copy under a new id. */
  fork(sessionId: string): Transcript {
    const path = this.path && join(dirname(this.path), `${sessionId}.jsonl`);
    if (this.path !== undefined && path !== undefined && existsSync(this.path)) copyFileSync(this.path, path);
    return new Transcript(sessionId, this.#cwd, path);
  }

  /** The folder of the session's other files, such as those of subagents. */
  get folder(): string | undefined {
    return this.path?.replace(/\.jsonl$/u, "");
  }

  /** Adds an input or a tool result, as Claude Code keeps it. */
  user(content: unknown, uuid: string = randomUUID(), more: object = {}): void {
    this.#row({ type: "user", uuid, message: { role: "user", content }, ...more });
    this.known.add(uuid);
  }

  /** Adds a block of the model's. Unlike its line on the wire it holds why the message stopped. */
  assistant(message: object, stopReason: string, uuid: string = randomUUID()): void {
    this.#row({ type: "assistant", uuid, message: { ...message, stop_reason: stopReason } });
  }

  /** While a message is being made none of its blocks is kept; in the end they are, all at once. */
  async whole(message: () => Promise<void>): Promise<void> {
    this.#held = [];
    try {
      await message();
    } finally {
      const rows = this.#held;
      this.#held = undefined;
      for (const row of rows) this.#row(row);
    }
  }

  /** Adds a row that is no link of the chain. */
  aside(row: object): void {
    this.#append({ ...row, sessionId: this.sessionId });
  }

  #row(row: Row): void {
    if (this.#held !== undefined) return void this.#held.push(row);
    const { sessionId } = this;
    const common = { isSidechain: false, userType: "external", entrypoint: "sdk-cli", version: "2.1.332" };
    const timestamp = new Date().toISOString();
    this.#append({ parentUuid: this.#parent, ...row, ...common, timestamp, cwd: this.#cwd, sessionId });
    this.#parent = row.uuid;
  }

  #append(row: object): void {
    if (this.path !== undefined) appendFileSync(this.path, `${JSON.stringify(row)}\n`);
  }

  /** An input of which no answer was saved is not known: it is run again. */
  #learn(text: string): void {
    const asked = new Set<string>();
    for (const line of text.split("\n").filter((each) => each !== "")) {
      const row = JSON.parse(line) as { readonly type: string; readonly uuid?: string };
      if (row.uuid !== undefined) this.#parent = row.uuid;
      if (row.type === "user" && row.uuid !== undefined) asked.add(row.uuid);
      if (row.type === "assistant") for (const uuid of asked) this.known.add(uuid);
    }
  }
}

function projectsFolder(): string | undefined {
  const config = process.env["CLAUDE_CONFIG_DIR"];
  return config === undefined ? undefined : join(config, "projects");
}
