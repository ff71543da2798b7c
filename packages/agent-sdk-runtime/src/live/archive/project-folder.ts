import { opendir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isGone } from "../../base/is-gone.ts";
import { lookAt } from "./regular-file.ts";

const LONGEST_NAME = 200;

/**
 * The name of the folder in which Claude Code keeps the sessions of a directory, given by its real path. As
 * recorded from 2.1.332: every UTF-16 unit but ASCII letters and digits becomes `-`; of more than 200 units
 * the first 200 are taken, then `-` and a hash of the path. Several paths can share a name.
 */
export function encodeProjectFolder(path: string): string {
  const name = path.replaceAll(/[^A-Za-z0-9]/g, "-");
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}-${hashOf(path)}`;
}

/** A 32-bit polynomial hash with factor 31, without its sign, to base 36. */
function hashOf(path: string): string {
  let hash = 0;
  for (let index = 0; index < path.length; index += 1) {
    hash = (Math.imul(hash, 31) + path.charCodeAt(index)) | 0;
  }
  return Math.abs(hash).toString(36);
}

/**
 * The project folder that has the session's transcript: the one of `cwd`, else the one with the newest
 * transcript of that id. Folders behind links are not looked into. `projects` is a real path.
 */
export async function findProjectFolder(
  projects: string,
  cwd: string,
  sessionId: string,
): Promise<string | undefined> {
  const own = join(projects, encodeProjectFolder(await realPathToBe(cwd)));
  if ((await transcriptTime(own, sessionId)) !== undefined) return own;
  // `--resume` takes a session of any directory and goes on in the folder where it was begun; the tool
  // EnterWorktree moves a session to the folder of the worktree.
  let newest: { readonly folder: string; readonly time: number } | undefined;
  for await (const folder of foldersOf(projects)) {
    // One that may not be looked into is another user's.
    const time = await transcriptTime(folder, sessionId).catch(() => undefined);
    if (time !== undefined && time > (newest?.time ?? Number.NEGATIVE_INFINITY)) newest = { folder, time };
  }
  return newest?.folder;
}

async function transcriptTime(folder: string, sessionId: string): Promise<number | undefined> {
  if ((await lookAt(folder))?.isDirectory() !== true) return undefined;
  return (await lookAt(join(folder, `${sessionId}.jsonl`)))?.mtimeMs;
}

async function* foldersOf(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.isDirectory()) yield join(folder, entry.name);
    }
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** The path without links; of one that does not exist, as it will be once it is made. */
export async function realPathToBe(path: string): Promise<string> {
  const full = resolve(path);
  try {
    return await realpath(full);
  } catch (error) {
    if (!isGone(error)) throw error;
    return join(await realPathToBe(dirname(full)), basename(full));
  }
}
