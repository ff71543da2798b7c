import type { Session } from "@claxedo/agent-sdk-runtime";
import { plainLine } from "./plain-text.ts";
import { shortId, turnVerdict } from "./names.ts";
import { table } from "./table.ts";

const heads = ["ID", "STATUS", "LAST TURN", "EVENTS", "UPDATED", "HARNESS", "DIRECTORY", "TITLE"];

/** The sessions as a table, in the order given. */
export function sessionTable(sessions: readonly Session[]): string {
  return table([heads, ...sessions.map(row)]);
}

function row(session: Session): readonly string[] {
  return [
    shortId(session.id),
    session.status,
    session.lastTurn === undefined ? "-" : turnVerdict(session.lastTurn),
    String(session.seq),
    new Date(session.time.updated).toISOString().slice(0, 19).replace("T", " "),
    session.model === undefined
      ? session.harness.id
      : `${session.harness.id} ${plainLine(session.model, 60)}`,
    plainLine(session.directory, 200),
    plainLine(session.title ?? "", 60),
  ];
}
