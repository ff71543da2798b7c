import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import type { AskRecord } from "../session/session-state.ts";
import type { PermissionAsk, Permissions, QuestionAsk, Questions, RejectAsk } from "./asks-api.ts";
import { eventAt, type RuntimeCore } from "./runtime-core.ts";

/** Makes `runtime.permissions`. */
export function permissionsOf(core: RuntimeCore): Permissions {
  return {
    list: (sessionId) => listed(core, sessionId, "permission", permissionAsk),
    answer: async ({ sessionId, requestId, ...reply }) =>
      (await core.take(sessionId)).asks.answer("permission", requestId, reply),
    reject: (request) => rejected(core, "permission", request),
  };
}

/** Makes `runtime.questions`. */
export function questionsOf(core: RuntimeCore): Questions {
  return {
    list: (sessionId) => listed(core, sessionId, "question", questionAsk),
    answer: async ({ sessionId, requestId, answers }) =>
      (await core.take(sessionId)).asks.answer("question", requestId, { answers }),
    reject: (request) => rejected(core, "question", request),
  };
}

async function rejected(core: RuntimeCore, kind: AskRecord["kind"], request: RejectAsk): Promise<void> {
  const { sessionId, requestId, message } = request;
  const why = message === undefined ? undefined : { message };
  await (await core.take(sessionId)).asks.answer(kind, requestId, { refused: true, ...why });
}

/** The records; of those that are open with what the log has of the request. */
async function listed<Ask extends AskRecord>(
  core: RuntimeCore,
  sessionId: string,
  kind: AskRecord["kind"],
  shown: (ask: AskRecord, event: AgentRuntimeEvent) => Ask,
): Promise<readonly (Ask | AskRecord)[]> {
  await core.stored(sessionId);
  const asks = (await core.store.asks(sessionId)).filter((ask) => ask.kind === kind);
  return Promise.all(
    asks.map(async (ask) => {
      const event = ask.status === "open" ? await eventAt(core, sessionId, ask.seq) : undefined;
      return event === undefined ? ask : shown(ask, event);
    }),
  );
}

function permissionAsk(ask: AskRecord, event: AgentRuntimeEvent): PermissionAsk {
  if (event.type !== "permission.requested") return ask;
  const { title, options } = event;
  return { ...ask, ...placeOf(event), ...(title === undefined ? undefined : { title }), options };
}

function questionAsk(ask: AskRecord, event: AgentRuntimeEvent): QuestionAsk {
  if (event.type !== "question.requested") return ask;
  return { ...ask, ...placeOf(event), questions: event.questions };
}

function placeOf({
  callId,
  agent,
}: Pick<PermissionAsk, "callId" | "agent">): Pick<PermissionAsk, "callId" | "agent"> {
  return {
    ...(callId === undefined ? undefined : { callId }),
    ...(agent === undefined ? undefined : { agent }),
  };
}
