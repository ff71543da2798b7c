import { toJson } from "../../base/json.ts";
import { lookup, omit } from "../../base/keyed-list.ts";
import { field, flag, list, record, text } from "../../base/read.ts";
import type { FrameNote } from "../../translation/event-adapter.ts";
import { requestKey } from "./asks.ts";
import type { ClaudeAsk, ClaudeState } from "./claude-state.ts";
import { scopeOf } from "./permission-options.ts";
import { amendRun } from "./runs.ts";
import { type ClaudeStep, says, silent, strayFrame } from "./step.ts";
import { withTool } from "./tools.ts";

/** A sent `control_response`: the ask ends with it, whatever the CLI makes of it. */
export function answered(state: ClaudeState, payload: unknown, note: FrameNote | undefined): ClaudeStep {
  const response = field(payload, "response");
  const key = requestKey(response);
  const ask = key === undefined ? undefined : lookup(state.asks, key);
  if (key === undefined || ask === undefined) {
    return strayFrame(state, "An answer was sent to the CLI for a request that is not open; it was dropped.");
  }
  const rest = { ...state, asks: omit(state.asks, key) };
  const answer = text(response, "subtype") === "success" ? field(response, "response") : undefined;
  switch (ask.kind) {
    case "host":
      return silent(rest);
    case "question":
      return endQuestion(rest, ask, answer, note);
    case "permission":
      return endPermission(rest, ask, answer, note);
  }
}

/** An error, and an answer that the CLI cannot read, are refusals to it. */
function endPermission(
  state: ClaudeState,
  ask: ClaudeAsk,
  answer: unknown,
  note: FrameNote | undefined,
): ClaudeStep {
  const allowed = text(answer, "behavior") === "allow";
  return says(allowed ? state : refused(state, ask, answer), {
    type: "permission.ended",
    requestId: ask.requestId,
    outcome: allowed ? "allowed" : "denied",
    by: note?.by ?? "user",
    scope: note?.scope ?? (allowed ? scopeOf(list(answer, "updatedPermissions")) : "once"),
  });
}

/** The call will not run; the refusal may call off the run as well. */
function refused(state: ClaudeState, ask: ClaudeAsk, answer: unknown): ClaudeState {
  const tool = ask.tool === null ? undefined : lookup(state.tools, ask.tool);
  const known =
    ask.tool === null || tool === undefined ? state : withTool(state, ask.tool, { ...tool, denied: true });
  return flag(answer, "interrupt") === true ? amendRun(known, { interrupted: true }) : known;
}

function endQuestion(
  state: ClaudeState,
  ask: ClaudeAsk,
  answer: unknown,
  note: FrameNote | undefined,
): ClaudeStep {
  const input = field(answer, "updatedInput");
  const taken = text(answer, "behavior") === "allow" || text(answer, "action") === "accept";
  const answers = record(field(input, "answers")) ?? record(field(answer, "content"));
  const told = answersOf([...ask.fields, ...promptsOf(input)], answers);
  return says(taken ? state : refused(state, ask, answer), {
    type: "question.ended",
    requestId: ask.requestId,
    outcome: taken ? "answered" : text(answer, "action") === "cancel" ? "cancelled" : "rejected",
    by: note?.by ?? "user",
    ...(taken && told.length > 0 ? { answers: told } : undefined),
  });
}

/** The questions, where an answer repeats them. */
function promptsOf(input: unknown): readonly string[] {
  return list(input, "questions").flatMap((question) => text(question, "question") ?? []);
}

/** In the order of the questions, where that is known. */
function answersOf(asked: readonly string[], answers: unknown): readonly string[] {
  const keys = asked.length > 0 ? asked : Object.keys(record(answers) ?? {});
  return keys.map((key) => {
    const said = field(answers, key);
    return (Array.isArray(said) ? said : [said]).map(worded).join(", ");
  });
}

/** Empty where nothing was said. */
function worded(said: unknown): string {
  const json = toJson(said);
  if (json === undefined) return "";
  return typeof json === "string" ? json : JSON.stringify(json);
}
