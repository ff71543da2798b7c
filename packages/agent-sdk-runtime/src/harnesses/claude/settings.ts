import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { HarnessSettings } from "../../harness/harness-connection.ts";
import type { LiveSession } from "../../live/live-session.ts";
import { textField } from "../../live/messages.ts";
import { hostError, isRefusal, isUnknownModel } from "./errors.ts";
import { modelNames } from "./offer.ts";

/** For the CLI to have a model looked up by its provider. */
const LOOK_UP_MS = 10_000;

/** Throws `model-unknown` for what cannot be the name of a model. */
export function checkModelName(model: string | undefined): void {
  if (model === undefined || /^\s*[^\s-]/u.test(model)) return;
  throw new AgentRuntimeError("model-unknown", `"${model}" is no name of a model.`);
}

/**
 * Rejects with `model-unknown` when the model provider does not have the model that the session was started
 * with. Of a model that the CLI offers nobody is asked. What keeps the provider from answering is left to
 * the first turn, which tells it better.
 */
export async function checkModel(session: LiveSession, model: string | undefined): Promise<void> {
  if (model === undefined || modelNames(session.initialized).has(model)) return;
  try {
    await session.control({ subtype: "set_model", model }, LOOK_UP_MS);
  } catch (error) {
    if (isUnknownModel(error)) throw unknownModel(model, error);
    if (session.state.end !== undefined) throw hostError(error);
  }
}

/** Changes the mode, then the model. What is refused (`invalid-input`, `model-unknown`) changes nothing. */
export async function configure(session: LiveSession, { model, mode }: HarnessSettings): Promise<void> {
  checkModelName(model);
  const before = session.state.permissionMode ?? textField(session.initialized, "current_permission_mode");
  if (mode !== undefined) await changeMode(session, mode);
  if (model === undefined) return;
  try {
    await session.setModel(model);
  } catch (error) {
    if (mode !== undefined && before !== undefined) await changeMode(session, before).catch(() => undefined);
    throw isUnknownModel(error) ? unknownModel(model, error) : hostError(error);
  }
}

async function changeMode(session: LiveSession, mode: string): Promise<void> {
  await session.setPermissionMode(mode).catch((error: unknown) => {
    throw isRefusal(error) ? new AgentRuntimeError("invalid-input", error.message) : hostError(error);
  });
}

function unknownModel(model: string, { message }: Error): AgentRuntimeError {
  return new AgentRuntimeError("model-unknown", `Claude Code takes no model "${model}". ${message}`);
}
