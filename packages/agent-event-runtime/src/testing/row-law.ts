import { emptyProjection } from "../projection/projection-snapshot.ts";
import { apply } from "../projection/projector.ts";
import { number, text } from "../base/read.ts";
import type { ProjectionLaw, ProjectionTrial } from "./projection-subject.ts";

/** Holds for views whose output is rows. */
export const rowLaw: ProjectionLaw = {
  id: "projection-rows",
  title: "writes rows that keep their id and their place, no two of them in one place",
  check,
};

/** Rows are paged by ordinal: one that moved, or that shares its place, would be missed or come twice. */
function check({ projection, histories }: ProjectionTrial): void {
  for (const history of histories) {
    const places = new Map<string, number>();
    const taken = new Map<number, string>();
    let snapshot = emptyProjection(projection);
    for (const event of history) {
      const applied = apply(projection, snapshot, event);
      snapshot = applied.snapshot;
      for (const row of applied.output) {
        const [rowId, ordinal] = [text(row, "rowId"), number(row, "ordinal")];
        if (rowId === undefined || ordinal === undefined) {
          throw new Error(`${event.type} gave an output that is no row: ${JSON.stringify(row)}`);
        }
        if ((places.get(rowId) ?? ordinal) !== ordinal)
          throw new Error(`the row ${rowId} moved at ${event.type}`);
        const before = taken.get(ordinal);
        if ((before ?? rowId) !== rowId)
          throw new Error(`the rows ${rowId} and ${before} share the place ${ordinal}`);
        places.set(rowId, ordinal);
        taken.set(ordinal, rowId);
      }
    }
  }
}
