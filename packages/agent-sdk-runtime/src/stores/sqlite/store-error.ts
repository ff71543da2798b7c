import { AgentRuntimeError, type AgentRuntimeErrorCode } from "../../errors/agent-runtime-error.ts";

interface Remedy {
  readonly matches: RegExp;
  readonly code: AgentRuntimeErrorCode;
  readonly sentence: string;
}

/** By the codes of SQLite and of the operating system; the first that matches counts. */
const remedies: readonly Remedy[] = [
  {
    matches: /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/,
    code: "store-full",
    sentence: "its disk is full. Free some space and try again; nothing stored is lost.",
  },
  {
    matches: /^SQLITE_NOTADB$/,
    code: "store-corrupt",
    sentence:
      "the file is not a SQLite database, or its beginning is damaged. It was left as it is. Restore a copy, or name another path.",
  },
  {
    matches: /^SQLITE_CORRUPT/,
    code: "store-corrupt",
    sentence: "the file is damaged. It was left as it is. Restore a copy, or name another path.",
  },
  {
    matches: /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    code: "store-unavailable",
    sentence: "another process holds it locked. Try again, or end that process.",
  },
  {
    matches: /^SQLITE_READONLY_(DIRECTORY|CANTINIT|RECOVERY)$/,
    code: "store-unavailable",
    sentence:
      "its folder cannot be written, which SQLite needs even to read. Allow it, or copy the store elsewhere.",
  },
  {
    matches: /^(SQLITE_READONLY|SQLITE_PERM|SQLITE_AUTH|EACCES|EPERM|EROFS)/,
    code: "store-unavailable",
    sentence: "it cannot be written here. Check the permissions of the file and its folder.",
  },
  {
    matches: /^SQLITE_CANTOPEN/,
    code: "store-unavailable",
    sentence: "it cannot be opened. Check that the file and its folder exist and may be read and written.",
  },
  {
    matches: /^(ENOTDIR|EEXIST|EISDIR|ELOOP)$/,
    code: "store-unavailable",
    sentence: "its path leads through something that is not a folder. Name another path.",
  },
  {
    matches: /^(SQLITE_IOERR|SQLITE_NOMEM|E[A-Z0-9]+$)/,
    code: "store-unavailable",
    sentence: "reading or writing it failed. Check the disk, then try again.",
  },
];

/** The code of an error of SQLite or of the operating system; `""` for every other. */
export function errorCode(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** Whether another connection stands in the way, so that trying again can help. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(errorCode(error));
}

/** Whether the file is damaged. */
export function isCorrupt(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error));
}

/** An error about the store at this path, with a sentence that says what is wrong and what to do. */
export function storeError(
  code: AgentRuntimeErrorCode,
  path: string,
  sentence: string,
  cause?: unknown,
): AgentRuntimeError {
  const options = cause === undefined ? undefined : { cause };
  return new AgentRuntimeError(code, `The store ${path}: ${sentence}`, options);
}

/** Turns an error of SQLite or of the operating system into one of ours; others pass as they are. */
export function toStoreError(path: string, error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error), { cause: error });
  const code = errorCode(error);
  const remedy = remedies.find(({ matches }) => matches.test(code));
  if (AgentRuntimeError.is(error) || remedy === undefined) return error;
  return storeError(remedy.code, path, `${remedy.sentence} (${code})`, error);
}
