import { withDeadline } from "../base/deadline.ts";
import type { HarnessSettings } from "../harness/harness-connection.ts";
import type { NewSession } from "../stores/session-store.ts";
import type { HarnessLink } from "./harness-link.ts";
import type { SessionState } from "./session-state.ts";
import type { SessionWork } from "./session-work.ts";

/** What may be changed of a session. */
export interface SessionChange extends HarnessSettings {
  readonly title?: string;
}

/** The settings that a session has: the harness's own word, or what was asked for last. */
export function settingsOf(session: NewSession, state: SessionState): HarnessSettings {
  return picked(state.model ?? session.model, state.mode);
}

/**
 * Changes a session. A harness that can be configured while it is up takes its settings first: what it
 * refuses changes nothing. Otherwise they hold from the next turn on.
 */
export async function changeSession(
  work: SessionWork,
  link: HarnessLink,
  change: SessionChange,
): Promise<void> {
  const before = work.log.state;
  const asked = picked(change.model, change.mode);
  const { connection } = link;
  const taking = Object.keys(asked).length === 0 ? undefined : connection?.configure?.(asked);
  const taken = taking !== undefined;
  if (taken)
    await withDeadline(taking, work.deadlines.writeMs, `Changing the settings of ${work.harness.id}`);
  let changed = false;
  // Where the harness has had its say meanwhile, that stands: it may know the model by another name.
  await work.advance((draft) => {
    const now = draft.state;
    const settings = picked(
      taken && now.model !== before.model ? undefined : newsOf(now.model, asked.model),
      taken && now.mode !== before.mode ? undefined : newsOf(now.mode, asked.mode),
    );
    changed = Object.keys(settings).length > 0;
    const title = change.title === undefined ? undefined : { title: change.title };
    if (changed || title !== undefined) draft.say({ type: "session.updated", ...title, ...settings });
  });
  if (changed && !taken) link.outdate();
}

function newsOf(known: string | undefined, asked: string | undefined): string | undefined {
  return known === asked ? undefined : asked;
}

function picked(model: string | undefined, mode: string | undefined): HarnessSettings {
  return {
    ...(model === undefined ? undefined : { model }),
    ...(mode === undefined ? undefined : { mode }),
  };
}
