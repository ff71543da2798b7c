import { fingerprint } from "../../base/fingerprint.ts";
import { field, flag, text } from "../../base/read.ts";
import type { InputOutcome } from "../../event/event-values.ts";
import type { AdapterContext, FrameNote } from "../../translation/event-adapter.ts";
import type { ClaudeInput, ClaudeState } from "./claude-state.ts";
import { blocksOf, idOf, partsOf, textOf } from "./frames.ts";
import { type ClaudeStep, each, says, silent, strayFrame } from "./step.ts";

/** A user message on its way to the CLI. */
export function sendInput(
  state: ClaudeState,
  payload: unknown,
  context: AdapterContext,
  note: FrameNote | undefined,
): ClaudeStep {
  const message = field(payload, "message");
  const content = field(message, "content");
  if (text(message, "role") !== "user" || (typeof content !== "string" && !Array.isArray(content))) {
    return strayFrame(state, "A user message that the CLI cannot take was sent to it.");
  }
  const blocks = blocksOf(message);
  const said = textOf(blocks);
  const inputId = note?.inputId ?? `i${context.frame}`;
  const input: ClaudeInput = {
    inputId,
    uuid: idOf(payload, "uuid") ?? null,
    mark: fingerprint(said),
    seen: false,
    joined: false,
    echoed: false,
    due: false,
    passed: false,
    compacts: /^\s*\/compact\b/.test(said),
    ...(note?.parts === undefined ? undefined : { holdsMore: true }),
  };
  return says(
    { ...state, inputs: [...state.inputs, input] },
    {
      type: "input.sent",
      inputId,
      parts: note?.parts ?? partsOf(content),
      ...(state.run === null ? undefined : { steer: true }),
      ...(flag(payload, "isSynthetic") === true ? { synthetic: true } : undefined),
    },
  );
}

/** The input of that uuid that the CLI speaks of: the oldest that has not joined, else the one that has. */
export function waitingFor(state: ClaudeState, uuid: string): ClaudeInput | undefined {
  const named = state.inputs.filter((input) => input.uuid === uuid);
  return named.find((input) => !input.joined) ?? named[0];
}

/** Whether the CLI tells of this input by name, so that nothing need be guessed. */
export function isNamed(state: ClaudeState, input: ClaudeInput): boolean {
  return state.lifecycles === true && input.uuid !== null;
}

/** The inputs that the open run has by name join it. */
export function joinNamed(state: ClaudeState, uuids: readonly string[]): ClaudeStep {
  return each(silent(state), uuids, (known, uuid) => {
    const input = waitingFor(known, uuid);
    return input === undefined || input.joined || known.run === null ? silent(known) : joinRun(known, input);
  });
}

/**
 * The CLI does not say which inputs the run that has just opened is about. What was written before it was
 * up it takes one and then the rest; of later inputs all that wait.
 */
export function joinWaiting(state: ClaudeState): ClaudeStep {
  const waiting = state.inputs.filter((input) => !input.joined && !isNamed(state, input));
  return each(silent(state), state.begun ? waiting : waiting.slice(0, 1), joinRun);
}

/** A tool round ends: an input without a name that waits is in the next model call. */
export function markDue(state: ClaudeState): ClaudeState {
  if (state.inputs.every((input) => input.joined || input.due || isNamed(state, input))) return state;
  const inputs = state.inputs.map((input) => (isNamed(state, input) ? input : { ...input, due: true }));
  return { ...state, inputs };
}

/** The next model call has what was due. */
export function joinDue(state: ClaudeState): ClaudeStep {
  return each(
    silent(state),
    state.inputs.filter((input) => input.due && !input.joined),
    joinRun,
  );
}

/** The open run takes the input up. */
export function joinRun(state: ClaudeState, input: ClaudeInput): ClaudeStep {
  if (state.run === null) return silent(state);
  return says(replaceInput(state, input, { ...input, seen: true, joined: true }), {
    type: "input.joined",
    inputId: input.inputId,
    runId: state.run.runId,
  });
}

/** The CLI repeats a user message: the input it stands for, if it is one of ours, has joined the run. */
export function echo(
  state: ClaudeState,
  payload: unknown,
  said: string,
): { readonly step: ClaudeStep; readonly input?: ClaudeInput } {
  const uuid = idOf(payload, "uuid");
  const mark = fingerprint(said);
  const unechoed = state.inputs.filter((input) => !input.echoed);
  const input =
    unechoed.find((known) => uuid !== undefined && known.uuid === uuid) ??
    unechoed.find((known) => !isNamed(state, known) && known.mark === mark);
  if (input === undefined) return { step: silent(state) };
  const joined = input.joined ? silent(state) : joinRun(state, input);
  const inputs = joined.state.inputs.map((known) =>
    known.inputId === input.inputId ? { ...known, echoed: true } : known,
  );
  return { input, step: { ...joined, state: { ...joined.state, inputs } } };
}

/** Silence while nothing runs: what waited when a run ended was in it, or is gone; this CLI does not say. */
export function endUnobserved(state: ClaudeState): ClaudeStep {
  if (state.run !== null) return silent(state);
  const passed = state.inputs.filter((input) => input.passed);
  return each(silent(state), passed, (known, input) => endInput(known, input, "unobserved"));
}

/** What is left of the inputs when a run has ended: those that did not join it. */
export function afterRun(state: ClaudeState): readonly ClaudeInput[] {
  return state.inputs
    .filter((input) => !input.joined)
    .map((input) => (isNamed(state, input) ? input : { ...input, passed: true }));
}

/** The message could not be written. Where the host named the input, the translator ends it. */
export function dropUnsent(
  state: ClaudeState,
  payload: unknown,
  note: FrameNote | undefined,
  reason: string,
): ClaudeStep {
  const uuid = idOf(payload, "uuid") ?? null;
  const mark = fingerprint(textOf(blocksOf(field(payload, "message"))));
  const input = state.inputs.findLast((known) =>
    note?.inputId === undefined ? known.uuid === uuid && known.mark === mark : known.inputId === note.inputId,
  );
  if (input === undefined) return silent(state);
  if (note?.inputId !== undefined) return silent(without(state, input));
  return endInput(state, input, "lost", reason);
}

/** Says what became of the input, and forgets it. */
export function endInput(
  state: ClaudeState,
  input: ClaudeInput,
  outcome: InputOutcome,
  reason?: string,
): ClaudeStep {
  return says(without(state, input), {
    type: "input.ended",
    inputId: input.inputId,
    outcome,
    ...(reason === undefined ? undefined : { error: { message: reason } }),
  });
}

/** The state with the input changed. */
export function replaceInput(state: ClaudeState, input: ClaudeInput, next: ClaudeInput): ClaudeState {
  return { ...state, inputs: state.inputs.map((known) => (known === input ? next : known)) };
}

function without(state: ClaudeState, input: ClaudeInput): ClaudeState {
  return { ...state, inputs: state.inputs.filter((known) => known.inputId !== input.inputId) };
}
