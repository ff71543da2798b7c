import type { SessionsPlan } from "../arguments/plan.ts";
import { type Console, tell, writeJson } from "../host/console.ts";
import { everything } from "../host/find-session.ts";
import { withRuntime } from "../host/open-runtime.ts";
import { exitCodes } from "../exit-code.ts";
import { sessionTable } from "../render/session-table.ts";
import { storePath } from "../store-path.ts";

/** `claxedo sessions`: what the store holds, latest first. */
export function sessions(console: Console, plan: SessionsPlan): Promise<number> {
  return withRuntime(console, storePath(plan.store, console), async (runtime) => {
    const listed = await runtime.sessions.list(everything);
    if (plan.json) for (const session of listed) await writeJson(console, session);
    else if (listed.length > 0) await console.stdout.write(sessionTable(listed));
    else await tell(console, 'no sessions yet: claxedo run "what the agent is to do" makes one');
    return exitCodes.completed;
  });
}
