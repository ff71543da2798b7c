import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import type { AgentRuntime } from "@claxedo/agent-sdk-runtime";
import type { EventsPlan } from "../arguments/plan.ts";
import { exitCodes } from "../exit-code.ts";
import { allEvents } from "../host/all-events.ts";
import { type Console, writeJson } from "../host/console.ts";
import { findNamed } from "../host/find-session.ts";
import { withRuntime } from "../host/open-runtime.ts";
import { eventLine } from "../render/event-line.ts";
import { storePath } from "../store-path.ts";

/** `claxedo events`: the log of a session, or of one turn, and with `--follow` what comes. */
export function events(console: Console, plan: EventsPlan): Promise<number> {
  const signal = plan.follow ? console.interrupts().asked : undefined;
  return withRuntime(console, storePath(plan.store, console), async (runtime) => {
    const { session, turnId } = await findNamed(runtime, plan.id);
    const source = plan.follow
      ? following(console, runtime, session.id, plan.after, signal)
      : allEvents(runtime, session.id, plan.after);
    for await (const event of source) {
      if (console.stdout.gone.aborted) break;
      if (turnId !== undefined && event.turnId !== turnId) continue;
      await (plan.json
        ? writeJson(console, event)
        : console.stdout.write(`${eventLine(event, console.paint.out)}\n`));
    }
    return exitCodes.completed;
  });
}

function following(
  console: Console,
  runtime: AgentRuntime,
  sessionId: string,
  after: number,
  signal: AbortSignal | undefined,
): AsyncIterable<AgentRuntimeEvent> {
  const ends = [console.stdout.gone, ...(signal === undefined ? [] : [signal])];
  return runtime.events.subscribe({ sessionId, after, signal: AbortSignal.any(ends) });
}
