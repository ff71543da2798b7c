import type { Database } from "./driver.ts";

/**
 * Shows whether the -wal file was lost. A number is announced and checkpointed into the main file, and
 * only then confirmed; the confirmation is in the -wal file until the next checkpoint. A main file that
 * has the one without the other, and no -wal file beside it, has lost everything since.
 */
const announced = "tail_announced";
const confirmed = "tail_confirmed";

/** The rows of `meta` that a new store begins with. */
export const initialTailMark: readonly (readonly [name: string, value: string])[] = [
  [announced, "0"],
  [confirmed, "0"],
];

/** Announces a number, checkpoints, confirms. A checkpoint that others prevent costs only the evidence. */
export function markTail(sqlite: Database): void {
  sqlite.prepare("update meta set value = cast(value + 1 as text) where name = ?").run(announced);
  sqlite.pragma("wal_checkpoint(full)");
  confirmTail(sqlite);
}

/** Confirms what was announced last, by whichever host: a host that is killed in between leaves it open. */
export function confirmTail(sqlite: Database): void {
  sqlite
    .prepare("update meta set value = (select value from meta where name = ?) where name = ?")
    .run(announced, confirmed);
}

/** Whether the last announcement is confirmed. */
export function isTailConfirmed(sqlite: Database): boolean {
  const values = sqlite.prepare("select count(distinct value) from meta where name in (?, ?)").pluck();
  return values.get(announced, confirmed) === 1;
}
