import { combineUsage, type EventDraft, type EventOf } from "@claxedo/agent-event-runtime";
import type { RunningTurn } from "./session-state.ts";

/** A verdict that the runtime gives, by evidence other than the harness's own. */
export type ForcedVerdict = Pick<EventOf<"turn.ended">, "outcome" | "reason" | "error">;

/** What ends the running turn by such evidence: its open runs, the inputs no run took up, the turn itself. */
export function forcedEnds(turn: RunningTurn, verdict: ForcedVerdict): readonly EventDraft[] {
  const told = verdict.error === undefined ? undefined : { error: verdict.error };
  const runs = turn.runs.filter((run) => run.ended === undefined).map((run) => run.runId);
  const loose = turn.inputs.filter(
    ({ sent, outcome, runId }) =>
      sent && outcome === undefined && (runId === undefined || !runs.includes(runId)),
  );
  const input = verdict.outcome === "cancelled" ? "cancelled" : "lost";
  return [
    ...runs.map((runId): EventDraft => ({ type: "run.ended", runId, ...verdict })),
    ...loose.map(({ inputId }): EventDraft => ({ type: "input.ended", inputId, outcome: input, ...told })),
    { type: "turn.ended", turnId: turn.record.turnId, ...verdict, ...totals(turn) },
  ];
}

/** The verdict of a turn all of whose inputs have ended, once no run that one of them joined is open. */
export function verdictOf(turn: RunningTurn): EventDraft | undefined {
  if (turn.inputs.some((input) => input.outcome === undefined)) return undefined;
  if (turn.runs.some((run) => run.ended === undefined)) return undefined;
  const { turnId } = turn.record;
  const last = turn.runs.at(-1)?.ended;
  if (last === undefined) return { type: "turn.ended", turnId, ...verdictOfInput(turn) };
  const { usage: _, costUsd: __, ...verdict } = last;
  return { type: "turn.ended", turnId, ...verdict, ...totals(turn) };
}

/** An input that goes to the harness in this turn: its own, or one that is steered into it. */
export function inputSent(turn: RunningTurn, event: EventOf<"input.sent">): RunningTurn {
  const { inputId } = event;
  if (event.synthetic || event.turnId !== turn.record.turnId) return turn;
  const known = turn.inputs.some((input) => input.inputId === inputId);
  if (!known) return { ...turn, inputs: [...turn.inputs, { inputId, sent: true }] };
  const inputs = turn.inputs.map((input) => (input.inputId === inputId ? { ...input, sent: true } : input));
  return { ...turn, inputs };
}

/** A run took one of its inputs up. */
export function inputJoined(turn: RunningTurn, event: EventOf<"input.joined">): RunningTurn {
  const { inputId, runId } = event;
  if (!turn.inputs.some((input) => input.inputId === inputId)) return turn;
  const inputs = turn.inputs.map((input) => (input.inputId === inputId ? { ...input, runId } : input));
  const known = turn.runs.some((run) => run.runId === runId);
  return { ...turn, inputs, runs: known ? turn.runs : [...turn.runs, { runId }] };
}

/** What became of one of its inputs. */
export function inputEnded(turn: RunningTurn, event: EventOf<"input.ended">): RunningTurn {
  const { outcome, error } = event;
  const inputs = turn.inputs.map((input) =>
    input.inputId === event.inputId
      ? { ...input, outcome, ...(error === undefined ? undefined : { error }) }
      : input,
  );
  return { ...turn, inputs };
}

/** A run that a user caused is the turn's from its start; the input that joins it may be told a frame later. */
export function runStarted(turn: RunningTurn, { runId, turnId }: EventOf<"run.started">): RunningTurn {
  return turnId === turn.record.turnId ? { ...turn, runs: [...turn.runs, { runId }] } : turn;
}

/** How one of its runs ended. */
export function runEnded(turn: RunningTurn, event: EventOf<"run.ended">): RunningTurn {
  const { outcome, reason, stopReason, error, usage, costUsd } = event;
  const verdict = {
    outcome,
    reason,
    ...(stopReason === undefined ? undefined : { stopReason }),
    ...(error === undefined ? undefined : { error }),
    ...(usage === undefined ? undefined : { usage }),
    ...(costUsd === undefined ? undefined : { costUsd }),
  };
  return {
    ...turn,
    runs: turn.runs.map((run) => (run.runId === event.runId ? { ...run, ended: verdict } : run)),
  };
}

function verdictOfInput(turn: RunningTurn): Pick<EventOf<"turn.ended">, "outcome" | "reason" | "error"> {
  const [first] = turn.inputs;
  const told = first?.error === undefined ? undefined : { error: first.error };
  switch (first?.outcome) {
    case "handled":
    case "known":
    case "answered":
    case "unobserved":
      return { outcome: "completed", reason: `harness.${first.outcome}` };
    case "cancelled":
      return { outcome: "cancelled", reason: "input-cancelled", ...told };
    case "refused":
      return { outcome: "failed", reason: "harness.refused", ...told };
    case "lost":
    case undefined:
      return { outcome: "failed", reason: "input-lost", ...told };
  }
}

/** What the turn's runs used together; a count that no run told stays unknown. */
function totals(turn: RunningTurn): Pick<EventOf<"turn.ended">, "usage" | "costUsd"> {
  return turn.runs.reduce<Spent>((sum, { ended }) => spentWith(sum, ended ?? {}), {});
}

/** Tokens and money, where they are known. */
export type Spent = Pick<EventOf<"run.ended">, "usage" | "costUsd">;

/** Both together. What neither tells stays unknown. */
export function spentWith(sum: Spent, more: Spent): Spent {
  const usage = combineUsage(sum.usage ?? {}, more.usage ?? {});
  const known = sum.costUsd !== undefined || more.costUsd !== undefined;
  return {
    ...(Object.keys(usage).length === 0 ? undefined : { usage }),
    ...(known ? { costUsd: rounded((sum.costUsd ?? 0) + (more.costUsd ?? 0)) } : undefined),
  };
}

// Sums of binary fractions: what is below a billionth of a cent is noise.
function rounded(costUsd: number): number {
  return Math.round(costUsd * 1e11) / 1e11;
}
