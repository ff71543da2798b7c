// Temporary folders, removed when the process ends, however it ends short of SIGKILL.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @type {Set<string>} */
const folders = new Set();

process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const [signal, code] of /** @type {const} */ ([
  ["SIGINT", 130],
  ["SIGTERM", 143],
]))
  process.once(signal, () => process.exit(code));

/** Makes an empty folder of this process's own. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), "claxedo-bench-"));
  folders.add(folder);
  return folder;
}

/** Removes it before the process ends. @param {string} folder */
export function removeScratch(folder) {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}
