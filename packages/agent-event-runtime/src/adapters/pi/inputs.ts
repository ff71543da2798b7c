import { fingerprint } from "../../base/fingerprint.ts";
import { field, flag, list, text } from "../../base/read.ts";
import type { AdapterContext, FrameNote } from "../../translation/event-adapter.ts";
import { askOf, errorOf, inputParts } from "./frames.ts";
import type { PiInput, PiState } from "./pi-state.ts";
import { endQuestions } from "./questions.ts";
import { awaitsVerdict } from "./runs.ts";
import { type PiHandler, type PiStep, andThen, each, says, silent } from "./step.ts";

/** A prompt, steer or follow_up command on its way to pi. */
export function sendInput(
  state: PiState,
  command: unknown,
  name: PiInput["command"],
  context: AdapterContext,
  note: FrameNote | undefined,
): PiStep {
  const inputId = note?.inputId ?? `i${context.frame}`;
  const queues = name !== "prompt" || text(command, "streamingBehavior") !== undefined;
  const input: PiInput = {
    inputId,
    ask: askOf(command),
    command: name,
    queues,
    texts: [fingerprint(text(command, "message") ?? "")],
    answered: false,
    accepted: false,
    joined: false,
    ...(note?.parts === undefined ? undefined : { holdsMore: true }),
  };
  const parts = note?.parts ?? inputParts(command);
  const fresh = !queues && (state.run === null || awaitsVerdict(state));
  return says(
    { ...state, inputs: [...state.inputs, input], ...(fresh ? { seen: 0, told: 0 } : undefined) },
    { type: "input.sent", inputId, parts, ...(queues ? { steer: true } : undefined) },
  );
}

/** Pi's answer to an input: refused, handled without a run, or accepted. */
export function answerInput(state: PiState, response: unknown, name: PiInput["command"]): PiStep {
  const input = state.inputs.find(
    (known) => !known.answered && known.command === name && known.ask === askOf(response),
  );
  if (input === undefined) return silent(state);
  if (flag(response, "success") !== true) {
    const error = errorOf(text(response, "error") ?? "pi refused the input without a reason.");
    return says(without(state, input), {
      type: "input.ended",
      inputId: input.inputId,
      outcome: "refused",
      error,
    });
  }
  const disposition = text(field(response, "data"), "disposition");
  if (disposition === "handled") return endHandled(state, input);
  return silent(replace(state, input, { ...input, answered: true, accepted: disposition !== undefined }));
}

/** No run was needed: a slash command, whose dialogs are over as well. */
function endHandled(state: PiState, input: PiInput): PiStep {
  const { inputId } = input;
  return andThen(
    endQuestions(state, ({ runId }) => runId === null, "expired", "harness"),
    (rest) => says(without(rest, input), { type: "input.ended", inputId, outcome: "handled" }),
  );
}

/** Silence after an answered prompt without a run: pi 0.73, which has no word for it, handled it by itself. */
export function endHandledInputs(state: PiState): PiStep {
  return state.run === null ? each(silent(state), state.inputs.filter(isHandled), endHandled) : silent(state);
}

/** The same of a prompt that was answered before the one that a run has now taken up. */
export function endPassedOver(state: PiState, before: PiState, inputId: string | undefined): PiStep {
  const place = before.inputs.findIndex((input) => input.inputId === inputId);
  return each(silent(state), before.inputs.slice(0, Math.max(0, place)).filter(isHandled), endHandled);
}

function isHandled(input: PiInput): boolean {
  return input.answered && !input.accepted && !input.queues && !input.joined;
}

/**
 * Pi echoes a user message: the oldest input of that text has joined the run. A prompt that pi
 * rewrote (a template, a skill) is known by being the one that the run was started for.
 */
export function joinInput(
  state: PiState,
  echo: string,
): { readonly state: PiState; readonly input?: PiInput } {
  const mark = fingerprint(echo);
  const waiting = state.inputs.filter((input) => !input.joined);
  const input =
    waiting.find((known) => known.texts.includes(mark)) ??
    (state.run?.joined === false ? waiting.find((known) => !known.queues) : undefined);
  if (input === undefined || state.run === null) return { state };
  const joined = input.answered ? [] : [{ ...input, joined: true }];
  return {
    input,
    state: {
      ...state,
      run: { ...state.run, joined: true },
      inputs: state.inputs.flatMap((known) => (known === input ? joined : [known])),
    },
  };
}

/** `queue_update`: an input that pi rewrote before queueing it is known by its place, the end of the queue. */
export const queueUpdated: PiHandler = (state, payload) => {
  const marks = ["steering", "followUp"].flatMap((key) => {
    const last = list(payload, key).at(-1);
    return typeof last === "string" ? [fingerprint(last)] : [];
  });
  const unknown = marks.filter((mark) => !state.inputs.some((input) => input.texts.includes(mark)));
  const input = state.inputs.find((known) => known.queues && !known.answered);
  if (input === undefined || unknown.length !== 1) return silent(state);
  return silent(replace(state, input, { ...input, texts: [...input.texts.slice(0, 1), ...unknown] }));
};

/** The answer to clear_queue names what was dropped. */
export function cancelQueued(state: PiState, response: unknown): PiStep {
  const data = field(response, "data");
  const dropped = [...list(data, "steering"), ...list(data, "followUp")].filter(
    (said) => typeof said === "string",
  );
  return each(silent(state), dropped, (known, said) => {
    const mark = fingerprint(said);
    const input = known.inputs.find((one) => !one.joined && one.texts.includes(mark));
    if (input === undefined) return silent(known);
    return says(without(known, input), { type: "input.ended", inputId: input.inputId, outcome: "cancelled" });
  });
}

/** The command could not be written. Where the host named the input, the translator ends it. */
export function dropUnsent(
  state: PiState,
  payload: unknown,
  note: FrameNote | undefined,
  reason: string,
): PiStep {
  const ask = askOf(payload);
  const input =
    note?.inputId === undefined
      ? state.inputs.findLast((known) => known.ask === ask && known.command === text(payload, "type"))
      : state.inputs.findLast((known) => known.inputId === note.inputId);
  if (input === undefined) return silent(state);
  const dropped = without(state, input);
  if (note?.inputId !== undefined) return silent(dropped);
  return says(dropped, {
    type: "input.ended",
    inputId: input.inputId,
    outcome: "lost",
    error: { message: reason },
  });
}

function replace(state: PiState, input: PiInput, next: PiInput): PiState {
  const keep = next.joined && next.answered ? [] : [next];
  return { ...state, inputs: state.inputs.flatMap((known) => (known === input ? keep : [known])) };
}

function without(state: PiState, input: PiInput): PiState {
  return { ...state, inputs: state.inputs.filter((known) => known !== input) };
}
