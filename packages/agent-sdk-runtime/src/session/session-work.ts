import type { ErrorInfo, WireFrame } from "@claxedo/agent-event-runtime";
import { withDeadline } from "../base/deadline.ts";
import type { Harness } from "../harness/harness.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";
import type { NewSession, SessionStore } from "../stores/session-store.ts";
import { errorInfo } from "./error-info.ts";
import type { Deadlines } from "./session-config.ts";
import type { SessionDraft } from "./session-draft.ts";
import type { SessionLog } from "./session-log.ts";

/** What all who work a session work with. */
export interface SessionWork {
  readonly store: SessionStore;
  readonly harness: Harness;
  readonly session: NewSession;
  readonly deadlines: Deadlines;
  readonly now: () => number;
  readonly log: SessionLog;
  /** Drafts a step of the session and commits it. A step that throws leaves everything as it was. */
  readonly advance: (step: (draft: SessionDraft) => void) => Promise<SessionDraft>;
}

/** Writes a frame whose intent is committed. What could not be written is said, too; answers why. */
export async function writeCommitted(
  work: SessionWork,
  connection: HarnessConnection,
  frame: WireFrame,
  what: string,
): Promise<ErrorInfo | undefined> {
  try {
    await withDeadline(connection.write(frame), work.deadlines.writeMs, `Handing ${what} to the harness`);
    return undefined;
  } catch (error) {
    const failure = errorInfo(error);
    const unsent = { kind: "unsent", frame, reason: failure.message, at: work.now() } as const;
    await work.advance((draft) => draft.translate(unsent));
    return failure;
  }
}
