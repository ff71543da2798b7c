import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import { duration } from "./names.ts";
import { plainLine } from "./plain-text.ts";
import type { Look } from "./style.ts";

/** Something to tell a person beside the agent's own words. */
export interface Note {
  readonly look: Look;
  readonly text: string;
}

/** What there is to say about an event that is neither text nor a tool call; most say nothing. */
export function noteOf(event: AgentRuntimeEvent): Note | undefined {
  switch (event.type) {
    case "notice.added":
      return { look: event.level === "info" ? "dim" : "yellow", text: line(event.text) };
    case "diagnostic":
      return event.severity === "info" ? undefined : { look: "yellow", text: line(event.message) };
    case "retry.scheduled": {
      const count = event.max === undefined ? `${event.attempt}` : `${event.attempt} of ${event.max}`;
      return warning(`try ${count} in ${duration(event.delayMs)}`, event.error?.message);
    }
    case "compaction.started":
      return { look: "dim", text: "the agent shortens its context" };
    case "compaction.ended":
      return event.outcome === "failed"
        ? warning("the agent could not shorten its context", event.error?.message)
        : undefined;
    case "auth.updated":
      return event.status === "ok" ? undefined : warning(`login ${event.status}`, event.message);
    case "ratelimit.updated":
      return event.status === "rejected" ? warning("the model provider's limit is reached") : undefined;
    case "mcp.updated":
      return event.status === "failed"
        ? warning(`MCP server ${line(event.server)} failed`, event.message)
        : undefined;
    case "harness.ended":
      return event.reason === "crashed"
        ? warning("the agent's program ended", event.exit?.message)
        : undefined;
    default:
      return undefined;
  }
}

function warning(text: string, cause?: string): Note {
  return { look: "yellow", text: cause === undefined ? text : `${text}: ${line(cause)}` };
}

function line(text: string): string {
  return plainLine(text, 400);
}
