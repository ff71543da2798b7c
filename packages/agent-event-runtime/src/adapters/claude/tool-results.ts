import { lookup } from "../../base/keyed-list.ts";
import { field, flag, list, number, record, text } from "../../base/read.ts";
import type { EventDraft } from "../../event/agent-runtime-event.ts";
import type { ToolOutcome } from "../../event/event-values.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { ClaudeState, ClaudeTool } from "./claude-state.ts";
import { changeOf } from "./file-changes.ts";
import { blocksOf, idOf, imageOf, textOf } from "./frames.ts";
import { type Place, at } from "./place.ts";
import { type ClaudeStep, andThen, says, silent, strayFrame } from "./step.ts";
import { endTaskOfCall, goesOn } from "./tasks.ts";
import { todosAfter } from "./todos.ts";
import { type CallEnd, endTool, tellCall } from "./tools.ts";

/** A result block: what came of a call. `payload`: its frame, when that is about this result alone. */
export function toolResult(
  state: ClaudeState,
  place: Place,
  block: unknown,
  payload: unknown,
  context: AdapterContext,
): ClaudeStep {
  const id = idOf(block, "tool_use_id");
  if (id === undefined) return strayFrame(state, "A tool result of the CLI names no call.");
  const structured = field(payload, "tool_use_result");
  const known = lookup(state.tools, id);
  if (known !== undefined) return endKnown(state, id, known, block, structured, payload);
  if (context.isOpen("tool", id)) return silent(state);
  if (context.wasEnded("tool", id)) {
    const { outcome, output } = callEnd(undefined, id, block, structured, payload);
    return says(state, {
      type: "tool.amended",
      callId: id,
      outcome,
      ...(output === undefined ? undefined : { output }),
      ...at(place),
    });
  }
  return andThen(tellCall(state, { id, name: "unknown", input: {} }, place, context), (open) => {
    const opened = lookup(open.tools, id);
    return opened === undefined ? silent(open) : endKnown(open, id, opened, block, structured, payload);
  });
}

function endKnown(
  state: ClaudeState,
  id: string,
  tool: ClaudeTool,
  block: unknown,
  structured: unknown,
  payload: unknown,
): ClaudeStep {
  const end = callEnd(tool, id, block, structured, payload);
  const task = end.outcome === "ok" ? "completed" : end.outcome === "failed" ? "failed" : "cancelled";
  const settled = goesOn(structured) ? silent(state) : endTaskOfCall(state, id, task);
  if (end.outcome !== "ok") return andThen(settled, (open) => endTool(open, id, end));
  const news = [...changeOf(tool, structured, end.output ?? ""), ...imagesOf(tool, block)];
  return andThen(settled, (open) => {
    const after = todosAfter(open, tool, structured);
    return endTool(after.state, id, end, ...news, ...after.events);
  });
}

/** The output of a call is text: the images in it are a message of their own. */
function imagesOf(tool: ClaudeTool, block: unknown): readonly EventDraft[] {
  const messageId = `${tool.callId}/output`;
  const images = blocksOf(block)
    .map(imageOf)
    .filter((image) => image !== undefined);
  if (images.length === 0) return [];
  return [
    { type: "message.started", messageId, role: "system", ...at(tool) },
    ...images.map(({ mediaType, data }, index): EventDraft => {
      const partId = `${messageId}/${index}`;
      return { type: "part.added", messageId, partId, kind: "image", mediaType, data };
    }),
    { type: "message.ended", messageId, outcome: "completed" },
  ];
}

function callEnd(
  tool: ClaudeTool | undefined,
  id: string,
  block: unknown,
  structured: unknown,
  payload: unknown,
): CallEnd {
  const said = textOf(blocksOf(block).map(asText));
  const meta = list(payload, "tool_result_meta").find((entry) => text(entry, "id") === id);
  const output = outputOf(said, structured);
  const exit = /^Exit code (\d{1,3})(?:\n|$)/.exec(said)?.[1];
  const durationMs = number(structured, "totalDurationMs") ?? number(structured, "durationMs");
  return {
    outcome: outcomeOf(tool, flag(block, "is_error") === true, structured, meta),
    output,
    ...(exit === undefined || tool?.name !== "Bash" ? undefined : { exitCode: Number(exit) }),
    ...(durationMs === undefined ? undefined : { durationMs }),
  };
}

/**
 * Whoever refused says so in different places: the answer to the request, the reason that the CLI gives
 * for not running the call. A call that the user stopped while it ran is told in the words of a refusal.
 */
function outcomeOf(
  tool: ClaudeTool | undefined,
  failed: boolean,
  structured: unknown,
  meta: unknown,
): ToolOutcome {
  if (!failed) return flag(structured, "interrupted") === true ? "cancelled" : "ok";
  if (tool?.denied || text(field(meta, "permission_decision"), "decision") === "reject") return "denied";
  const why = text(meta, "non_execution_kind");
  if (why === "permission-rule") return "denied";
  return why === "user-rejected" || structured === "User rejected tool use" ? "cancelled" : "failed";
}

/** The tools that a search has found are told to the model in a form of their own. */
function asText(block: unknown): unknown {
  const found = text(block, "type") === "tool_reference" ? text(block, "tool_name") : undefined;
  return found === undefined ? block : { type: "text", text: found };
}

const PERSISTED = "<persisted-output>";
const ERROR = /^<tool_use_error>([^]*)<\/tool_use_error>$/;

/** What the model was told; where that is a mere excerpt, what the host was told. */
function outputOf(said: string, structured: unknown): string {
  if (said.startsWith(PERSISTED)) {
    const whole = Array.isArray(structured) ? textOf(structured) : streamsOf(structured);
    if (whole.length > 0) return whole;
  }
  return ERROR.exec(said)?.[1] ?? said;
}

function streamsOf(structured: unknown): string {
  const streams = [text(record(structured), "stdout"), text(record(structured), "stderr")];
  return streams.filter((stream) => stream !== undefined && stream !== "").join("\n");
}
