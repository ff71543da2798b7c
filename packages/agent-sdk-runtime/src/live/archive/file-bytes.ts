import type { FileHandle } from "node:fs/promises";

/** How much is in memory at a time, in bytes. */
const CHUNK = 256 * 1024;
/** How much is compared at either end of what two files should have in common, in bytes. */
const WINDOW = 16 * 1024;

/**
 * Whether two files begin with the same `length` bytes, by the first and the last 16 KiB of them: rows that
 * are written once and carry unique ids do not agree there by chance.
 */
export async function beginAlike(one: FileHandle, other: FileHandle, length: number): Promise<boolean> {
  const window = Math.min(WINDOW, length);
  return (
    (await agreeAt(one, other, 0, window)) &&
    (length === window || (await agreeAt(one, other, length - window, window)))
  );
}

async function agreeAt(one: FileHandle, other: FileHandle, from: number, length: number): Promise<boolean> {
  const [mine, theirs] = [await readAt(one, from, length), await readAt(other, from, length)];
  return mine.length === length && mine.equals(theirs);
}

async function readAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/**
 * Copies the bytes between two positions to the same positions of another file, and gives their number: less
 * where the source ends early. Rejects with the signal's reason, between two pieces of 256 KiB.
 */
export async function copyBytes(
  from: FileHandle,
  to: FileHandle,
  range: { readonly start: number; readonly end: number },
  signal: AbortSignal | undefined,
): Promise<number> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK, range.end - range.start));
  let position = range.start;
  while (position < range.end) {
    signal?.throwIfAborted();
    const wanted = Math.min(buffer.length, range.end - position);
    const { bytesRead } = await from.read(buffer, 0, wanted, position);
    if (bytesRead === 0) break;
    await writeAt(to, buffer.subarray(0, bytesRead), position);
    position += bytesRead;
  }
  return position - range.start;
}

async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
