import type { RunEnded } from "../../event/agent-runtime-event.ts";
import type { RunOutcome } from "../../event/event-values.ts";
import { flag, number, record, text } from "../../base/read.ts";
import type { AdapterContext } from "../../translation/event-adapter.ts";
import { errorOf } from "./frames.ts";
import type { PiRun, PiState } from "./pi-state.ts";
import { type PiHandler, type PiStep, inRun, says, silent, andThen } from "./step.ts";

/** The run that is open, or a new one that this frame opens. */
export function ensureRun(state: PiState, context: AdapterContext): PiStep {
  if (state.run !== null) return silent(state);
  const runId = `r${context.frame}`;
  const origin = state.inputs.some((input) => !input.joined) ? "user" : "harness";
  const run: PiRun = {
    runId,
    joined: false,
    ended: false,
    settles: false,
    continues: false,
    retryCancelled: false,
    stopReason: null,
    errorMessage: null,
    usage: null,
    costUsd: null,
  };
  return says(
    { ...state, run, ...(origin === "harness" ? { seen: 0 } : undefined) },
    { type: "run.started", runId, origin },
  );
}

/** `agent_start`: the first opens the run; later ones go on with it, unless its verdict was only waiting for this. */
export const agentStarted: PiHandler = (state, _payload, context) =>
  andThen(awaitsVerdict(state) ? endRun(state) : silent(state), (settled) =>
    andThen(ensureRun(settled, context), (open) =>
      silent({ ...open, run: amend(open.run, { ended: false, continues: false, retryCancelled: false }) }),
    ),
  );

/** `agent_end`: pi may still go on by itself. Only a pi that says `willRetry` will also say that it has settled. */
export const agentEnded: PiHandler = (state, payload) => {
  const willRetry = flag(payload, "willRetry");
  const settles = willRetry !== undefined || state.run?.settles === true;
  return silent({ ...state, run: amend(state.run, { ended: true, settles, continues: false }) });
};

/** `agent_settled`: pi is done. */
export const agentSettled: PiHandler = (state, payload) => endRun(state, flag(payload, "aborted") === true);

/** `auto_retry_start`: pi waits, then calls the model again. */
export const retryStarted: PiHandler = (state, payload) => {
  const max = number(payload, "maxAttempts");
  const message = text(payload, "errorMessage");
  return says(
    { ...state, run: amend(state.run, { continues: true }) },
    {
      type: "retry.scheduled",
      attempt: number(payload, "attempt") ?? 1,
      delayMs: number(payload, "delayMs") ?? 0,
      ...(max === undefined ? undefined : { max }),
      ...(message === undefined ? undefined : { error: errorOf(message) }),
      ...inRun(state),
    },
  );
};

/** `auto_retry_end`: the retries came to something, to nothing, or the user called them off. */
export const retryEnded: PiHandler = (state, payload) => {
  if (flag(payload, "success") === true) return silent(state);
  const retryCancelled = text(payload, "finalError") === "Retry cancelled";
  return silent({ ...state, run: amend(state.run, { continues: false, retryCancelled }) });
};

/** `compaction_start`: what comes after `agent_end` is decided by its end. */
export const compactionStarted: PiHandler = (state, payload, context) => {
  const compactionId = `k${context.frame}`;
  const given = text(payload, "reason");
  const cause = given === "manual" || given === "threshold" || given === "overflow" ? given : "other";
  return says(
    { ...state, compaction: compactionId },
    ...(state.compaction === null
      ? []
      : [{ type: "compaction.ended", compactionId: state.compaction, outcome: "abandoned" } as const]),
    { type: "compaction.started", compactionId, cause, ...inRun(state) },
  );
};

/** `compaction_end`, which 0.73 also says without a start when it gives up. */
export const compactionEnded: PiHandler = (state, payload, context) =>
  andThen(state.compaction === null ? compactionStarted(state, payload, context) : silent(state), (open) => {
    const run = amend(open.run, { continues: flag(payload, "willRetry") === true });
    const result = record(payload)?.["result"];
    const message = text(payload, "errorMessage");
    const before = number(result, "tokensBefore");
    const after = number(result, "estimatedTokensAfter");
    const cancelled = flag(payload, "aborted") === true;
    return says(
      { ...open, run, compaction: null },
      {
        type: "compaction.ended",
        compactionId: open.compaction ?? "",
        outcome: cancelled ? "cancelled" : message === undefined ? "completed" : "failed",
        ...(before === undefined ? undefined : { tokensBefore: before }),
        ...(after === undefined ? undefined : { tokensAfter: after }),
        ...(message === undefined ? undefined : { error: errorOf(message) }),
      },
    );
  });

/** Whether pi 0.73 has said its last word about the run, and only silence is wanting. */
export function awaitsVerdict(state: PiState): boolean {
  return (
    state.run !== null &&
    state.run.ended &&
    !state.run.settles &&
    !state.run.continues &&
    state.compaction === null
  );
}

/** Pronounces the verdict of the run; the translator's books end what it leaves open. */
export function endRun(state: PiState, aborted = false): PiStep {
  const { run } = state;
  if (run === null) return silent(state);
  const over: PiState = {
    ...state,
    run: null,
    message: null,
    tools: [],
    inputs: state.inputs.filter((input) => !input.joined),
    questions: state.questions.filter(([, question]) => question.runId !== run.runId),
    compaction: null,
  };
  return says(over, verdict(run, aborted));
}

function verdict(run: PiRun, aborted: boolean): RunEnded {
  const outcome = outcomeOf(run, aborted);
  const said = outcome === "cancelled" ? "aborted" : (run.stopReason ?? "settled");
  return {
    type: "run.ended",
    runId: run.runId,
    outcome,
    reason: `harness.${said}`,
    ...(run.stopReason === null ? undefined : { stopReason: run.stopReason }),
    ...(outcome === "failed"
      ? { error: errorOf(run.errorMessage ?? "pi reported an error without a message.") }
      : undefined),
    ...(run.usage === null ? undefined : { usage: run.usage }),
    ...(run.costUsd === null ? undefined : { costUsd: run.costUsd }),
  };
}

function outcomeOf(run: PiRun, aborted: boolean): RunOutcome {
  if (aborted || run.retryCancelled || run.stopReason === "aborted") return "cancelled";
  return run.stopReason === "error" ? "failed" : "completed";
}

function amend(run: PiRun | null, facts: Partial<PiRun>): PiRun | null {
  return run === null ? null : { ...run, ...facts };
}
