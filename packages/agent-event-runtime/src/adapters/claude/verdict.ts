import { field, flag, list, number, record, text } from "../../base/read.ts";
import type { RunEnded } from "../../event/agent-runtime-event.ts";
import type { ErrorInfo, RunOutcome, Usage } from "../../event/event-values.ts";
import { combineUsage } from "../../event/usage.ts";
import type { ClaudeRun, ClaudeState } from "./claude-state.ts";
import { modelUsageOf, spentAny, usageOf } from "./frames.ts";
import { rejectsHistory } from "./rejected-history.ts";

/** What a `result` says of the run that it ends. Usage and cost are of this run alone. */
export function verdictOf(state: ClaudeState, run: ClaudeRun, payload: unknown): RunEnded {
  const outcome = outcomeOf(run, payload);
  const stopReason = text(payload, "stop_reason")?.slice(0, 100);
  const usage = usageOf(payload) ?? spentAny(tokensOf(state, payload));
  return {
    type: "run.ended",
    runId: run.runId,
    outcome,
    reason: `harness.${reasonOf(outcome, payload)}`,
    ...(stopReason === undefined ? undefined : { stopReason }),
    ...(outcome === "failed" ? { error: errorOf(payload) } : undefined),
    ...(usage === undefined ? undefined : { usage }),
    ...costOf(state, payload),
  };
}

/**
 * Good is only what all three fields call good; `terminal_reason` is absent for commands, and in older
 * CLIs.
 */
function outcomeOf(run: ClaudeRun, payload: unknown): RunOutcome {
  const good = text(payload, "subtype") === "success" && flag(payload, "is_error") !== true;
  const terminal = text(payload, "terminal_reason");
  if (terminal?.startsWith("aborted")) return "cancelled";
  if (good && (terminal === undefined || terminal === "completed")) return "completed";
  return terminal === undefined && run.interrupted ? "cancelled" : "failed";
}

function reasonOf(outcome: RunOutcome, payload: unknown): string {
  const said =
    text(payload, "terminal_reason") ?? (outcome === "cancelled" ? "interrupted" : text(payload, "subtype"));
  return said !== undefined && /^[\w.-]{1,64}$/.test(said) ? said : "unknown";
}

const MAX_ERROR = 4000;

/** The CLI's own words, without what it says to its makers. */
function errorOf(payload: unknown): ErrorInfo {
  const errors = list(payload, "errors").filter((error) => typeof error === "string");
  const told = [
    text(payload, "result") ?? "",
    ...errors.filter((error) => !error.startsWith("[ede_diagnostic]")),
  ];
  const message = told
    .filter((said) => said.trim() !== "")
    .join("\n")
    .slice(0, MAX_ERROR);
  const status = number(payload, "api_error_status");
  const code = codeOf(payload, message, status);
  return {
    message:
      message === "" ? `Claude Code ended this run without an answer (${code ?? "no reason"}).` : message,
    ...(code === undefined ? undefined : { code: code.slice(0, 100) }),
    ...(status === undefined ? undefined : { status }),
  };
}

/** What is wrong with the conversation itself has a code of ours; of all else the CLI's own word is told. */
function codeOf(payload: unknown, message: string, status: number | undefined): string | undefined {
  if (rejectsHistory(message, status)) return "history-rejected";
  if (text(payload, "terminal_reason") === "prompt_too_long") return "context-overflow";
  return ["api_error_type", "api_error", "terminal_reason", "subtype"]
    .map((key) => text(payload, key))
    .find((said) => said !== undefined);
}

/** Newer CLIs say what was spent since the last result; older ones only what was spent in all. */
function tokensOf(state: ClaudeState, payload: unknown): Usage {
  const since = field(payload, "model_usage_since_last_result");
  if (since !== undefined) return modelUsageOf(since);
  const all = modelUsageOf(field(payload, "modelUsage"));
  return combineUsage(all, state.spent.tokens, (now, before) => (now < before ? now : now - before));
}

function costOf(state: ClaudeState, payload: unknown): { readonly costUsd?: number } {
  const since = record(field(payload, "model_usage_since_last_result"));
  const total = number(payload, "total_cost_usd");
  if (since !== undefined) {
    return {
      costUsd: rounded(
        Object.values(since).reduce<number>((sum, model) => sum + (number(model, "costUSD") ?? 0), 0),
      ),
    };
  }
  if (total === undefined) return {};
  const before = total < state.spent.costUsd ? 0 : state.spent.costUsd;
  return { costUsd: rounded(total - before) };
}

// Sums of binary fractions: what is below a billionth of a cent is noise.
function rounded(costUsd: number): number {
  return Math.round(costUsd * 1e11) / 1e11;
}

/** What the CLI has spent in all, for the next result to be compared with. */
export function spentAfter(state: ClaudeState, payload: unknown): ClaudeState["spent"] {
  const tokens = field(payload, "modelUsage");
  return {
    costUsd: number(payload, "total_cost_usd") ?? state.spent.costUsd,
    tokens: tokens === undefined ? state.spent.tokens : modelUsageOf(tokens),
  };
}
