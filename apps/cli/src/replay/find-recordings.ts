import { readdir, stat } from "node:fs/promises";
import { dirname, extname, join, sep } from "node:path";

const EXTENSIONS: ReadonlySet<string> = new Set([".jsonl", ".ndjson"]);
const CASE = "recording.jsonl";

/**
 * The recordings in a folder and the folders in it, sorted. A folder with a `recording.jsonl` is one case:
 * what else is in it is about that recording.
 */
export async function findRecordings(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return findRecordings(path);
      if (!EXTENSIONS.has(extname(entry.name))) return [];
      const file = entry.isFile() || (entry.isSymbolicLink() && (await stat(path)).isFile());
      return file ? [path] : [];
    }),
  );
  const files = found.flat().toSorted();
  const own = join(folder, CASE);
  return files.includes(own) ? files.filter((file) => file === own || dirname(file) !== folder) : files;
}

/** The adapter that a path names: the nearest of its folders that has the id of one. */
export function adapterInPath(path: string, ids: ReadonlySet<string>): string | undefined {
  return dirname(path)
    .split(sep)
    .findLast((segment) => ids.has(segment));
}
