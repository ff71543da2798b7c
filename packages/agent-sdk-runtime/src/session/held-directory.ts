import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { isGone } from "../base/is-gone.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";

/** What is at the path of a held directory. */
export type DirectoryLook = "same" | "gone" | "replaced";

/**
 * A session's directory, held open: no other one gets its inode meanwhile, so that one that was made again at the
 * same path is told from it. Birth times tell nothing: an overlay file system changes them with the first write.
 */
export class HeldDirectory {
  readonly #path: string;
  /** None where it may not be read: then it can only be told whether there is one. */
  readonly #handle: FileHandle | undefined;

  private constructor(path: string, handle: FileHandle | undefined) {
    this.#path = path;
    this.#handle = handle;
  }

  /** Rejects with `directory-missing` where there is none, and with the system's error where that cannot be told. */
  static async open(path: string): Promise<HeldDirectory> {
    const held = new HeldDirectory(path, await handleOf(path));
    try {
      if ((await held.look()) === "same") return held;
      throw directoryMissing(path);
    } catch (error) {
      await held.close();
      throw error;
    }
  }

  /** Rejects with the system's error where it cannot be told. */
  async look(): Promise<DirectoryLook> {
    const now = await stat(this.#path, { bigint: true }).catch(goneOr);
    if (now?.isDirectory() !== true) return "gone";
    const held = await this.#handle?.stat({ bigint: true });
    return held === undefined || (held.dev === now.dev && held.ino === now.ino) ? "same" : "replaced";
  }

  /** Lets it go. */
  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

/** The error for a session whose directory is not there. */
export function directoryMissing(path: string): AgentRuntimeError {
  return new AgentRuntimeError(
    "directory-missing",
    `The session's directory ${path} does not exist (any more); make it again, or start a session elsewhere.`,
  );
}

async function handleOf(path: string): Promise<FileHandle | undefined> {
  // Not every system has the flag.
  const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
  return open(path, flags).catch(() => undefined);
}

function goneOr(error: unknown): undefined {
  if (!isGone(error)) throw error;
}
