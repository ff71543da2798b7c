import type { Json, WireFrame } from "@claxedo/agent-event-runtime";
import { withDeadline } from "../base/deadline.ts";
import type { Harness } from "../harness/harness.ts";
import type { OwnedSession } from "../stores/session-store.ts";
import type { Advance, HarnessLink } from "./harness-link.ts";
import { recoveryVerdict } from "./recovery-plan.ts";
import type { SessionProgress } from "./session-draft.ts";
import { forcedEnds } from "./session-machine.ts";

/** What a recovery works with. */
export interface SessionRecovery {
  readonly owned: OwnedSession;
  readonly harness: Harness;
  readonly link: HarnessLink;
  readonly progress: SessionProgress;
  readonly advance: Advance;
  /** For reading the harness's own record. */
  readonly historyMs: number;
}

/**
 * Settles what an earlier host, or an earlier life of this one, left open: its processes are ended, the
 * harness's own record is told, and whatever is open then gets its end. Does nothing when nothing is.
 */
export async function settleWhatWasLeft(recovery: SessionRecovery): Promise<void> {
  const { owned, link, progress, advance } = recovery;
  const { turn, recovering, connected } = progress.state;
  const host = owned.lostHost === undefined ? undefined : { hostId: owned.lostHost };
  if (turn !== undefined && !recovering)
    await advance((draft) => draft.say({ type: "recovery.started", ...host }));
  if (connected || host !== undefined) await link.endProcesses(1_000);
  if (turn === undefined && !connected && !recovering) return;
  const told =
    turn === undefined || owned.binding === undefined ? [] : await ownRecord(recovery, owned.binding);
  await advance((draft) => {
    for (const frame of told) draft.translate(frame);
    draft.settle({ startNext: false });
    const open = draft.state.turn;
    if (open !== undefined) draft.say(...forcedEnds(open, recoveryVerdict(open)));
    draft.finish("lost");
    if (connected) draft.say({ type: "harness.ended", reason: "lost" });
    if (draft.state.recovering) draft.say({ type: "recovery.ended" });
  });
}

/** Without a record the outcome is unknown, which the verdict says. */
async function ownRecord(
  { harness, historyMs }: SessionRecovery,
  binding: Json,
): Promise<readonly WireFrame[]> {
  return withDeadline(harness.history(binding), historyMs, "Reading the harness's own record").catch(
    () => [],
  );
}
