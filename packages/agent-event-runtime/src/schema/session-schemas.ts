import * as z from "zod/mini";
import { type EventSchemas, schemasOf } from "./envelope-schema.ts";
import {
  text,
  number,
  flag,
  maybeText,
  maybeNumber,
  maybeYes,
  maybeJson,
  maybeTexts,
  inputPart,
  turnOutcome,
  inputOutcome,
  sessionStatus,
  harnessEndReason,
  maybeUsage,
  maybeError,
  exitInfo,
} from "./value-schemas.ts";

const verdict = {
  outcome: turnOutcome,
  reason: text,
  stopReason: maybeText,
  error: maybeError,
  usage: maybeUsage,
  costUsd: maybeNumber,
};

/** Sessions, connections to harnesses, turns, runs and inputs. */
export const sessionSchemas: EventSchemas<
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
> = schemasOf({
  "session.updated": {
    title: maybeText,
    model: maybeText,
    mode: maybeText,
    cwd: maybeText,
    commands: maybeTexts,
    capabilities: maybeJson,
  },
  "session.status": { status: sessionStatus },
  "session.deleted": {},
  "recovery.started": { hostId: maybeText },
  "recovery.ended": {},
  "harness.started": {
    harnessId: text,
    access: z.enum(["acp", "native"]),
    connection: number,
    nativeSessionId: maybeText,
    model: maybeText,
    resumed: flag,
  },
  "harness.updated": { nativeSessionId: text },
  "harness.ended": { reason: harnessEndReason, exit: z.exactOptional(exitInfo) },
  "turn.queued": { turnId: text, inputId: text, input: z.array(inputPart), idempotencyKey: maybeText },
  "turn.started": { turnId: text },
  "turn.ended": { turnId: text, ...verdict },
  "run.started": { runId: text, origin: z.enum(["user", "harness"]), cause: maybeText },
  "run.ended": { runId: text, ...verdict },
  "input.sent": { inputId: text, parts: z.array(inputPart), steer: maybeYes, synthetic: maybeYes },
  "input.joined": { inputId: text, runId: text },
  "input.ended": { inputId: text, outcome: inputOutcome, error: maybeError },
});
