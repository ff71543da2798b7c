import { assign, lookup, omit } from "../../base/keyed-list.ts";
import { flag, list, number, text } from "../../base/read.ts";
import type { EventDraft } from "../../event/agent-runtime-event.ts";
import type { Question } from "../../event/event-values.ts";
import type { AdapterContext, FrameNote } from "../../translation/event-adapter.ts";
import { shortId } from "./frames.ts";
import type { PiQuestion, PiState } from "./pi-state.ts";
import { type PiHandler, type PiStep, inRun, says, silent, strayFrame, unknownFrame } from "./step.ts";

/** What an extension does to the terminal UI, which has no counterpart here. */
const SILENT_METHODS: ReadonlySet<string> = new Set([
  "setStatus",
  "setWidget",
  "setTitle",
  "set_editor_text",
]);

/** `extension_ui_request`: a dialog, a notice, or something for the terminal alone. */
export const uiRequested: PiHandler = (state, payload, context) => {
  const method = text(payload, "method") ?? "";
  switch (method) {
    case "select":
    case "confirm":
    case "input":
    case "editor":
      return ask(state, payload, method, context);
    case "notify":
      return says(state, {
        type: "notice.added",
        level: levelOf(payload),
        text: text(payload, "message") ?? "",
        ...inRun(state),
      });
    default:
      return SILENT_METHODS.has(method)
        ? silent(state)
        : unknownFrame(state, `extension requests of method "${method}"`);
  }
};

function levelOf(payload: unknown): "info" | "warning" | "error" {
  const said = text(payload, "notifyType");
  return said === "warning" || said === "error" ? said : "info";
}

function ask(state: PiState, payload: unknown, method: string, context: AdapterContext): PiStep {
  const id = text(payload, "id");
  if (id === undefined) return strayFrame(state, "A dialog of a pi extension has no id.");
  const vendorId = shortId(id);
  if (lookup(state.questions, vendorId) !== undefined) return silent(state);
  const timeout = number(payload, "timeout");
  const question: PiQuestion = {
    requestId: `q${context.frame}`,
    runId: state.run?.runId ?? null,
    method,
    expiresAt: timeout === undefined ? null : context.time + timeout,
  };
  return says(
    { ...state, questions: assign(state.questions, vendorId, question) },
    {
      type: "question.requested",
      requestId: question.requestId,
      questions: [questionOf(payload, method)],
      native: { id: vendorId, method },
      ...inRun(state),
    },
  );
}

function questionOf(payload: unknown, method: string): Question {
  const parts = [text(payload, "title"), text(payload, "message") ?? text(payload, "placeholder")];
  const prompt = parts.filter((part) => part !== undefined && part !== "").join("\n");
  const offered = list(payload, "options").filter((option) => typeof option === "string");
  const labels = method === "confirm" ? [YES, NO] : method === "select" ? offered : [];
  return { prompt, options: labels.map((label) => ({ label })), multiple: false };
}

const YES = "Yes";
const NO = "No";

/** A sent `extension_ui_response`. */
export function answerQuestion(state: PiState, payload: unknown, note: FrameNote | undefined): PiStep {
  const vendorId = shortId(text(payload, "id") ?? "");
  const question = lookup(state.questions, vendorId);
  if (question === undefined) {
    return strayFrame(
      state,
      "An answer was sent to a pi extension for a dialog that is not open; it was dropped.",
    );
  }
  const rejected = flag(payload, "cancelled") === true;
  const confirmed = flag(payload, "confirmed");
  const answer = text(payload, "value") ?? (confirmed === undefined ? undefined : confirmed ? YES : NO);
  return says(
    { ...state, questions: omit(state.questions, vendorId) },
    {
      type: "question.ended",
      requestId: question.requestId,
      outcome: rejected ? "rejected" : "answered",
      by: note?.by ?? "user",
      ...(rejected || answer === undefined ? undefined : { answers: [answer] }),
    },
  );
}

/** A sent abort calls off the dialogs of the run that it aborts. */
export function cancelQuestions(state: PiState, note: FrameNote | undefined): PiStep {
  if (state.run === null) return silent(state);
  const { runId } = state.run;
  const by = note?.by ?? "user";
  return endQuestions(state, (question) => question.runId === runId, "cancelled", by);
}

/** Pi answers a dialog with a timeout by itself, and says nothing of it. */
export function expireQuestions(state: PiState, now: number): PiStep {
  if (state.questions.length === 0) return silent(state);
  return endQuestions(state, ({ expiresAt }) => expiresAt !== null && expiresAt <= now, "expired", "harness");
}

/** Ends the open questions that the test picks. */
export function endQuestions(
  state: PiState,
  over: (question: PiQuestion) => boolean,
  outcome: "cancelled" | "expired",
  by: "user" | "policy" | "harness",
): PiStep {
  const ends = state.questions
    .filter(([, question]) => over(question))
    .map(([, { requestId }]): EventDraft => ({ type: "question.ended", requestId, outcome, by }));
  if (ends.length === 0) return silent(state);
  return says({ ...state, questions: state.questions.filter(([, question]) => !over(question)) }, ...ends);
}
