import type { QuietFrame } from "@claxedo/agent-event-runtime";
import type { ClaudeSession } from "../../live/claude-session.ts";

/** A CLI that rests for so long after a result will not begin a turn for what it was sent before. */
const QUIET_MS = 5000;

/**
 * Tells when a CLI that does not tell the fate of inputs has come to rest: an input that it took into a
 * running turn would never end otherwise. Ends with the session.
 */
export async function tellQuiet(
  session: ClaudeSession,
  tell: (frame: QuietFrame) => void,
  quietMs: number = QUIET_MS,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let { resultsSeen: seen } = session.state;
  for await (const { activity, resultsSeen, tellsFates } of session.stateChanges) {
    clearTimeout(timer);
    if (tellsFates === false && activity === "idle" && resultsSeen > seen)
      timer = setTimeout(() => tell({ kind: "quiet", forMs: quietMs, at: Date.now() }), quietMs);
    seen = resultsSeen;
  }
  clearTimeout(timer);
}
