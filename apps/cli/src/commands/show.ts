import type { TranscriptRow } from "@claxedo/agent-event-runtime";
import type { AgentRuntime, Session } from "@claxedo/agent-sdk-runtime";
import type { ShowPlan } from "../arguments/plan.ts";
import { exitCodes } from "../exit-code.ts";
import { type Console, tell } from "../host/console.ts";
import { findNamed } from "../host/find-session.ts";
import { withRuntime } from "../host/open-runtime.ts";
import { plainLine } from "../render/plain-text.ts";
import { transcriptRow } from "../render/transcript.ts";
import { storePath } from "../store-path.ts";

const PAGE = 500;

/** `claxedo show`: the transcript of a session, or of one turn. */
export function show(console: Console, plan: ShowPlan): Promise<number> {
  return withRuntime(console, storePath(plan.store, console), async (runtime) => {
    const { session, turnId } = await findNamed(runtime, plan.id);
    await tell(console, headline(session));
    for await (const row of rowsOf(runtime, session.id)) {
      if (console.stdout.gone.aborted) break;
      if (turnId !== undefined && row.turnId !== turnId) continue;
      await console.stdout.write(transcriptRow(row, console.paint.out));
    }
    return exitCodes.completed;
  });
}

function headline({ id, harness, model, directory, title, status, owner }: Session): string {
  const facts = [id, harness.id, model, `in ${directory}`, title, status];
  const holder = owner === undefined ? [] : [`process ${owner.pid}`];
  return plainLine([...facts.filter((fact) => fact !== undefined), ...holder].join(" · "), 400);
}

async function* rowsOf(runtime: AgentRuntime, sessionId: string): AsyncGenerator<TranscriptRow> {
  for (let after = 0; ;) {
    const { rows } = await runtime.messages.list(sessionId, { after, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.ordinal;
  }
}
