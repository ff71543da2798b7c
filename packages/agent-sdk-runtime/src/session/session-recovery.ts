import type { ErrorInfo, Json, WireFrame } from "@claxedo/agent-event-runtime";
import { withDeadline } from "../base/deadline.ts";
import type { OwnedSession } from "../stores/session-store.ts";
import type { HarnessLink } from "./harness-link.ts";
import { recoveryVerdict } from "./recovery-plan.ts";
import { readBinding } from "./session-binding.ts";
import type { SessionWork } from "./session-work.ts";
import { forcedEnds } from "./turn-machine.ts";

/**
 * Settles what an earlier host, or an earlier life of this one, left open: its processes are ended, the
 * harness's own record is told, and whatever is open then gets its end. Does nothing when nothing is.
 */
export async function settleWhatWasLeft(
  work: SessionWork,
  link: HarnessLink,
  owned: OwnedSession,
  failure?: ErrorInfo,
): Promise<void> {
  const { turn, recovering, connected } = work.log.state;
  const host = owned.lostHost === undefined ? undefined : { hostId: owned.lostHost };
  if (turn !== undefined && !recovering)
    await work.advance((draft) => draft.say({ type: "recovery.started", ...host }));
  if (connected || host !== undefined) await link.endProcesses(1_000);
  if (turn === undefined && !connected && !recovering) return;
  const binding = readBinding(owned.binding)?.current;
  const told = turn === undefined || binding === undefined ? [] : await ownRecord(work, binding);
  await work.advance((draft) => {
    for (const frame of told) draft.translate(frame);
    draft.settle({ startNext: false });
    const open = draft.state.turn;
    if (open !== undefined) draft.say(...forcedEnds(open, recoveryVerdict(open, failure)));
    draft.finish("lost");
    if (connected) draft.say({ type: "harness.ended", reason: "lost" });
    if (draft.state.recovering) draft.say({ type: "recovery.ended" });
  });
}

/** Without a record the outcome is unknown, which the verdict says. */
async function ownRecord({ harness, deadlines }: SessionWork, binding: Json): Promise<readonly WireFrame[]> {
  const reading = withDeadline(
    harness.history(binding),
    deadlines.connectMs,
    "Reading the harness's own record",
  );
  return reading.catch(() => []);
}
