import { field, number, text } from "../../base/read.ts";
import type { CompactionEnded } from "../../event/agent-runtime-event.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import type { ClaudeState } from "./claude-state.ts";
import { at, mainPlace } from "./place.ts";
import { type ClaudeHandler, type ClaudeStep, andThen, says, silent } from "./step.ts";

/** `system/status` with the status `compacting`. */
export function compactionStarted(state: ClaudeState, context: AdapterContext): ClaudeStep {
  if (state.compaction !== null) return silent(state);
  const asked = state.inputs.some((input) => input.joined && input.compacts);
  return openCompaction(state, context, asked ? "manual" : "threshold");
}

function openCompaction(
  state: ClaudeState,
  context: AdapterContext,
  cause: "manual" | "threshold",
): ClaudeStep {
  const compactionId = `k${context.frame}`;
  return says(
    { ...state, compaction: { compactionId, done: false } },
    { type: "compaction.started", compactionId, cause, ...at(mainPlace(state)) },
  );
}

/** The outcome of a compaction. A good one is followed by its figures. */
export function compactionResult(state: ClaudeState, payload: unknown): ClaudeStep {
  const result = text(payload, "compact_result");
  if (state.compaction === null || result === undefined) return silent(state);
  if (result === "success") return silent({ ...state, compaction: { ...state.compaction, done: true } });
  const message = text(payload, "compact_error") ?? `The compaction ended as "${result.slice(0, 100)}".`;
  return endCompaction(state, "failed", { error: { message: message.slice(0, 2000) } });
}

/** `system/compact_boundary`: what the compaction brought. */
export const compacted: ClaudeHandler = (state, payload, context) => {
  const figures = field(payload, "compact_metadata");
  const cause = text(figures, "trigger") === "manual" ? "manual" : "threshold";
  const open = state.compaction === null ? openCompaction(state, context, cause) : silent(state);
  const before = number(figures, "pre_tokens");
  const after = number(figures, "post_tokens");
  return andThen(open, (from) =>
    endCompaction(from, "completed", {
      ...(before === undefined ? undefined : { tokensBefore: before }),
      ...(after === undefined ? undefined : { tokensAfter: after }),
    }),
  );
};

/** A run ends: a compaction that succeeded without figures has ended with it. */
export function settleCompaction(state: ClaudeState): ClaudeStep {
  if (state.compaction === null) return silent(state);
  return state.compaction.done
    ? endCompaction(state, "completed", {})
    : silent({ ...state, compaction: null }); // the translator ends it with the run
}

function endCompaction(
  state: ClaudeState,
  outcome: CompactionEnded["outcome"],
  more: Pick<CompactionEnded, "tokensBefore" | "tokensAfter" | "error">,
): ClaudeStep {
  if (state.compaction === null) return silent(state);
  const { compactionId } = state.compaction;
  return says({ ...state, compaction: null }, { type: "compaction.ended", compactionId, outcome, ...more });
}
