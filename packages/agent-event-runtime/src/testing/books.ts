import type { AgentRuntimeEvent, EventType } from "../event/agent-runtime-event.ts";

/** An account of what events open and close, kept without looking at the translator's own books. */
export interface Account {
  /** Ids that were opened, in order, as `kind:id`. */
  readonly opened: readonly string[];
  readonly ended: readonly string[];
}

const STARTS: { readonly [Type in EventType]?: string } = {
  "run.started": "runId",
  "input.sent": "inputId",
  "message.started": "messageId",
  "tool.started": "callId",
  "permission.requested": "requestId",
  "question.requested": "requestId",
  "task.started": "taskId",
  "compaction.started": "compactionId",
};

/** Reads the account of the harness's things out of events. */
export function account(events: readonly AgentRuntimeEvent[]): Account {
  const opened: string[] = [];
  const ended: string[] = [];
  for (const event of events) {
    const kind = event.type.split(".", 1)[0];
    const key = STARTS[event.type];
    if (key !== undefined) opened.push(`${kind}:${idIn(event, key)}`);
    const start = Object.entries(STARTS).find(([type]) => event.type === `${type.split(".", 1)[0]}.ended`);
    if (start !== undefined) ended.push(`${kind}:${idIn(event, start[1])}`);
  }
  return { opened, ended };
}

/** The parts that events mention, as message id and part id, in order of their first mention. */
export function partsOf(events: readonly AgentRuntimeEvent[]): readonly (readonly [string, string])[] {
  const parts = new Map<string, readonly [string, string]>();
  for (const event of events) {
    if (event.type !== "message.delta" && event.type !== "part.ended" && event.type !== "part.added")
      continue;
    parts.set(JSON.stringify([event.messageId, event.partId]), [event.messageId, event.partId]);
  }
  return [...parts.values()];
}

/** What occurs more than once. */
export function repeated(ids: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.size === seen.add(id).size);
}

function idIn(event: AgentRuntimeEvent, key: string): string {
  return String((event as unknown as Record<string, unknown>)[key]);
}
