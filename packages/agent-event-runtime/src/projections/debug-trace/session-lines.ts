import type { EventOf } from "../../event/agent-runtime-event.ts";
import type { EventHandlers } from "../../projection/projection.ts";
import {
  type Field,
  fact,
  failure,
  flag,
  milliseconds,
  quoted,
  quotedParts,
  spent,
  word,
} from "./trace-line.ts";
import { type DebugTraceState, end, initialTrace, since, start, tell } from "./trace-state.ts";

/** Sessions, connections to harnesses, turns, runs and inputs. */
export const sessionLines: Pick<
  EventHandlers<DebugTraceState, string>,
  | "session.updated"
  | "session.status"
  | "session.deleted"
  | "recovery.started"
  | "recovery.ended"
  | "harness.started"
  | "harness.updated"
  | "harness.ended"
  | "turn.queued"
  | "turn.started"
  | "turn.ended"
  | "run.started"
  | "run.ended"
  | "input.sent"
  | "input.joined"
  | "input.ended"
> = {
  "session.updated": (state, event) =>
    tell(state, event, [
      fact("model", event.model),
      fact("mode", event.mode),
      fact("cwd", event.cwd),
      fact("commands", event.commands?.length),
      quoted(event.title),
    ]),
  "session.status": (state, event) => tell(state, event, [word(event.status)]),
  "session.deleted": (_, event) => tell(initialTrace, event, []),
  "recovery.started": (state, event) => start(state, event, ["recovery", ""], [fact("host", event.hostId)]),
  "recovery.ended": (state, event) => end(state, event, ["recovery", ""], []),
  "harness.started": (state, event) =>
    start(
      state,
      event,
      ["harness", ""],
      [
        fact("harness", event.harnessId),
        fact("native", event.nativeSessionId),
        fact("model", event.model),
        fact("connection", event.connection),
        word(event.access),
        flag("resumed", event.resumed),
      ],
    ),
  "harness.updated": (state, event) => tell(state, event, [fact("native", event.nativeSessionId)]),
  "harness.ended": (state, event) =>
    end(
      state,
      event,
      ["harness", ""],
      [
        word(event.reason),
        fact("exit", event.exit?.code),
        fact("signal", event.exit?.signal),
        quoted(event.exit?.message),
      ],
    ),
  "turn.queued": (state, event) =>
    start(
      state,
      event,
      ["turn", event.turnId],
      [fact("input", event.inputId), fact("key", event.idempotencyKey), quotedParts(event.input)],
    ),
  "turn.started": (state, event) =>
    tell(state, event, [milliseconds("waited", since(state, event, ["turn", event.turnId]))]),
  "turn.ended": (state, event) => end(state, event, ["turn", event.turnId], verdict(event)),
  "run.started": (state, event) =>
    start(state, event, ["run", event.runId], [word(event.origin), fact("cause", event.cause)]),
  "run.ended": (state, event) => end(state, event, ["run", event.runId], verdict(event)),
  "input.sent": (state, event) =>
    start(
      state,
      event,
      ["input", event.inputId],
      [flag("steer", event.steer), flag("synthetic", event.synthetic), quotedParts(event.parts)],
    ),
  "input.joined": (state, event) => tell(state, event, [fact("input", event.inputId)]),
  "input.ended": (state, event) => end(state, event, ["input", event.inputId], failure(event.error)),
};

function verdict(event: EventOf<"turn.ended"> | EventOf<"run.ended">): readonly Field[] {
  return [
    word(event.reason),
    fact("stop", event.stopReason),
    ...spent(event.usage, event.costUsd),
    ...failure(event.error),
  ];
}
