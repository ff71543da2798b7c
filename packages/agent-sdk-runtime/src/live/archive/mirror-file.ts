import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { ArchiveFolder } from "./archive-folder.ts";
import { type CopyRule, type FoundFile, planCopy } from "./copy-plan.ts";
import { beginAlike, copyBytes } from "./file-bytes.ts";
import { lookAt, openRegular } from "./regular-file.ts";

/** Between which places files are mirrored. */
export interface Mirror {
  /** The project folder, by its real path. */
  readonly project: string;
  readonly archive: ArchiveFolder;
  readonly maxFileBytes: number;
  /** Ends the work between two pieces of a file. */
  readonly signal?: AbortSignal;
}

/** What has become of one file. */
export interface FileOutcome {
  /** Written; `undefined` when there was nothing to do. */
  readonly bytes: number | undefined;
  /** Whether the file is larger than what is mirrored of it. */
  readonly cut: boolean;
}

/**
 * Brings the copy of one file up to date; `path` is below the project folder. A file that is gone has
 * nothing to do. Rejects when it is no ordinary file, or cannot be read or written.
 */
export async function mirrorFile(mirror: Mirror, path: string): Promise<FileOutcome> {
  const from = join(mirror.project, path);
  const found = await lookAt(from);
  if (found === undefined) return { bytes: undefined, cut: false };
  if (!found.isFile()) {
    throw new Error(
      found.isSymbolicLink() ? `${from} is a link: it is not followed.` : `${from} is no ordinary file.`,
    );
  }
  const cut = found.size > mirror.maxFileBytes;
  const rule: CopyRule = { grows: path.endsWith(".jsonl"), cut };
  const plan = planCopy(measure(found, mirror), await findCopy(mirror, path), rule);
  if (plan === "keep") return { bytes: undefined, cut };
  await using source = await openRegular(from, "read");
  if (source === undefined) return { bytes: undefined, cut };
  const extended = plan === "extend" ? await extend(mirror, path, source) : "unlike";
  const bytes = extended === "unlike" ? await renew(mirror, path, source) : extended || undefined;
  return { bytes, cut };
}

/**
 * Writes what the copy lacks at its end. Two archives that do so at once write the same bytes to the same
 * places. `unlike`: the copy is not, or is no longer, what the file begins with.
 */
async function extend(mirror: Mirror, path: string, source: FileHandle): Promise<number | "unlike"> {
  await using copy = await openRegular(mirror.archive.pathOf(path), "write");
  if (copy === undefined) return "unlike";
  const file = measure(await source.stat(), mirror);
  const { size: start } = await copy.stat();
  if (!(await beginAlike(source, copy, start))) return "unlike";
  const bytes = await copyBytes(source, copy, { start, end: file.size }, mirror.signal);
  // It may have been rewritten meanwhile: what was just copied would then not belong to what was before.
  if (!(await beginAlike(source, copy, start))) return "unlike";
  await copy.utimes(file.mtimeMs / 1000, file.mtimeMs / 1000);
  return bytes;
}

function renew(mirror: Mirror, path: string, source: FileHandle): Promise<number> {
  return mirror.archive.replace(path, async (copy) => {
    const file = measure(await source.stat(), mirror);
    const bytes = await copyBytes(source, copy, { start: 0, end: file.size }, mirror.signal);
    await copy.utimes(file.mtimeMs / 1000, file.mtimeMs / 1000);
    return bytes;
  });
}

function measure({ size, mtimeMs }: Stats, { maxFileBytes }: Mirror): FoundFile {
  return { size: Math.min(size, maxFileBytes), mtimeMs };
}

async function findCopy({ archive }: Mirror, path: string): Promise<Stats | undefined> {
  const found = await lookAt(archive.pathOf(path));
  return found?.isFile() === true ? found : undefined;
}
