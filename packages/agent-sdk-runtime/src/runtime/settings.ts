import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { Choice, Harness, HarnessOffer } from "../harness/harness.ts";
import { settingsOf } from "../session/session-settings.ts";
import { eventAt, type RuntimeCore } from "./runtime-core.ts";
import type { Mcp, SessionConfig, Tasks, Todos } from "./settings-api.ts";

/** What the harness of a session offers; `not-supported` where it does not tell. */
export async function offerOf(core: RuntimeCore, sessionId: string): Promise<HarnessOffer> {
  return (await core.take(sessionId)).offer();
}

/** What a session asks of its harness, and which modes there are. */
export async function configOf(core: RuntimeCore, sessionId: string): Promise<SessionConfig> {
  const stored = await core.stored(sessionId);
  const { harness, state } = stored;
  return { harness, ...settingsOf(stored, state), modes: await modesOf(core, sessionId) };
}

const NOT_OURS: ReadonlySet<string> = new Set(["not-supported", "owned-elsewhere", "read-only"]);

async function modesOf(core: RuntimeCore, sessionId: string): Promise<readonly Choice[]> {
  try {
    return (await offerOf(core, sessionId)).modes;
  } catch (error) {
    if (AgentRuntimeError.is(error) && NOT_OURS.has(error.code)) return [];
    throw error;
  }
}

/** A setting as it may be asked for; `invalid-input` when it says nothing. */
export function checkSetting(what: string, value: string | undefined): void {
  if (value?.trim() !== "") return;
  throw new AgentRuntimeError("invalid-input", `The ${what} is empty; name one, or leave it out.`);
}

/** A mode as it may be asked of that harness; `not-supported` where there is none to choose. */
export function checkMode({ id, capabilities }: Harness, mode: string | undefined): void {
  checkSetting("mode", mode);
  if (mode === undefined || capabilities.offer) return;
  throw new AgentRuntimeError("not-supported", `${id} has no modes to choose from; leave the mode out.`);
}

/** Makes `runtime.todos`. */
export function todosOf(core: RuntimeCore): Todos {
  return {
    list: async (sessionId) => {
      const { todoSeq } = (await core.stored(sessionId)).state;
      const event = todoSeq === undefined ? undefined : await eventAt(core, sessionId, todoSeq);
      return event?.type === "todo.updated" ? event.items : [];
    },
  };
}

/** Makes `runtime.tasks`. */
export function tasksOf(core: RuntimeCore): Tasks {
  return {
    list: async (sessionId) => (await core.stored(sessionId)).state.tasks ?? [],
    stop: async ({ sessionId, taskId }) => (await core.take(sessionId)).stopTask(taskId),
  };
}

/** Makes `runtime.mcp`. */
export function mcpOf(core: RuntimeCore): Mcp {
  return { list: async (sessionId) => (await core.stored(sessionId)).state.mcp ?? [] };
}
