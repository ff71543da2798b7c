import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { isGone } from "../../base/is-gone.ts";

/** What has this name, a link as such; `undefined` when nothing has. */
export async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/**
 * Opens an ordinary file that is in the very place its path names; `undefined` when it is gone. Rejects when
 * it is something else, or when a link leads to it, at its end or on the way. Who calls closes it.
 */
export async function openRegular(path: string, access: "read" | "write"): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_RDWR, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    // Without O_NONBLOCK the opening of a named pipe waits for whoever writes to it.
    const handle = await open(path, (access === "read" ? O_RDONLY : O_RDWR) | O_NOFOLLOW | O_NONBLOCK);
    return await orClose(handle, async () => {
      if (!(await handle.stat()).isFile()) throw new Error(`${path} is no ordinary file.`);
      if ((await placeOf(handle, path)) === path) return handle;
      const replaced = (await handle.stat()).nlink === 0;
      if (!replaced) throw new Error(`${path} was moved, or a link leads to it.`);
      return undefined;
    });
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Closes the handle unless it is given on. */
async function orClose(
  handle: FileHandle,
  check: () => Promise<FileHandle | undefined>,
): Promise<FileHandle | undefined> {
  let given: FileHandle | undefined;
  try {
    given = await check();
    return given;
  } finally {
    if (given === undefined) await handle.close();
  }
}

/** Where an open file is. Linux tells it of the file; elsewhere the path is looked at once more. */
function placeOf(handle: FileHandle, path: string): Promise<string> {
  return readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path));
}
