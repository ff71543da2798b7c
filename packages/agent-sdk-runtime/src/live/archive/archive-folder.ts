import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, opendir, rename, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { realPathToBe } from "./project-folder.ts";
import { lookAt } from "./regular-file.ts";

const UNFINISHED = ".unfinished";
/** A copy in the making that is older was left by a process that was killed, in milliseconds. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** The folder that transcripts are mirrored into. What is made in it is private to its user. */
export class ArchiveFolder {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Makes the folder if need be. Rejects when it cannot be one, or lies where the CLI looks for transcripts. */
  static async open(directory: string, projects: string): Promise<ArchiveFolder> {
    const root = await realPathToBe(directory);
    if (`${root}${sep}`.startsWith(`${projects}${sep}`)) {
      throw new Error(
        `The archive folder ${directory} lies in ${projects}, where the CLI keeps its transcripts.`,
      );
    }
    try {
      await mkdir(root, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new Error(`The archive folder ${directory} cannot be made.`, { cause });
    }
    await makeFolder(join(root, UNFINISHED));
    await removeAbandoned(join(root, UNFINISHED));
    return new ArchiveFolder(root);
  }

  /** Where a file of the transcript's tree has its copy. */
  pathOf(path: string): string {
    return join(this.#root, path);
  }

  /** Makes a copy anew: it takes the old one's place at once, when `write` is done. Gives what that gives. */
  async replace(path: string, write: (file: FileHandle) => Promise<number>): Promise<number> {
    await this.#makeFoldersTo(path);
    const unfinished = join(this.#root, UNFINISHED, `${Date.now()}-${randomUUID()}`);
    try {
      await using file = await open(unfinished, "wx", 0o600);
      const bytes = await write(file);
      await rename(unfinished, this.pathOf(path));
      return bytes;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
  }

  async #makeFoldersTo(path: string): Promise<void> {
    let folder = this.#root;
    for (const name of path.split(sep).slice(0, -1)) {
      folder = join(folder, name);
      await makeFolder(folder);
    }
  }
}

/** Makes a private folder unless there is one. A link to a folder is none. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (cause) {
    if ((await lookAt(path))?.isDirectory() === true) return;
    throw new Error(`The folder ${path} cannot be made.`, { cause });
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    const begun = Number(/^(\d+)-[0-9a-f-]{36}$/.exec(name)?.[1]);
    if (Date.now() - begun > ABANDONED_AFTER_MS) await rm(join(folder, name), { force: true });
  }
}
