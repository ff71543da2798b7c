import type { ModelRuntime } from "@earendil-works/pi-coding-agent";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { PiModel } from "./library.ts";
import { SCRIPTED_ID, SCRIPTED_PROVIDER } from "./scripted-model.ts";

/** A model by provider and id. */
export interface ModelName {
  readonly provider: string | undefined;
  readonly id: string | undefined;
}

/** The offline demo model: always there, needs nothing. */
export const scriptedName: ModelName = { provider: SCRIPTED_PROVIDER, id: SCRIPTED_ID };

/** The named model, or `model-unknown`. `name` is `provider/id`, or an id that only one usable provider has. */
export async function namedModel(runtime: ModelRuntime, name: string): Promise<PiModel> {
  const found = lookUp(runtime, name);
  const [first, ...others] = found.length > 1 ? found.filter((model) => isConfigured(runtime, model)) : found;
  if (first === undefined) throw unknownModel(runtime, name);
  if (others.length > 0) {
    const names = [first, ...others].slice(0, 5).map(modelName).join(", ");
    throw new AgentRuntimeError(
      "model-unknown",
      `Several providers have a model "${name}": name one of ${names}.`,
    );
  }
  if (await isUsable(runtime, first)) return first;
  const login = `set its API key, or run pi and log in with /login ${first.provider}`;
  throw new AgentRuntimeError("model-unknown", `There are no credentials for ${modelName(first)}: ${login}.`);
}

/** The first of these that exists and can be used. */
export async function firstUsable(
  runtime: ModelRuntime,
  names: readonly (ModelName | undefined)[],
): Promise<PiModel | undefined> {
  for (const name of names) {
    if (!name?.provider || !name.id) continue;
    const model = runtime.getModel(name.provider, name.id);
    if (model && (await isUsable(runtime, model))) return model;
  }
  return undefined;
}

/** A model as users name it. */
export function modelName(model: { readonly provider: string; readonly id: string }): string {
  return `${model.provider}/${model.id}`;
}

function lookUp(runtime: ModelRuntime, name: string): readonly PiModel[] {
  const slash = name.indexOf("/");
  const exact = slash > 0 ? runtime.getModel(name.slice(0, slash), name.slice(slash + 1)) : undefined;
  return exact ? [exact] : runtime.getModels().filter((model) => model.id === name);
}

function isConfigured(runtime: ModelRuntime, model: PiModel): boolean {
  return runtime.hasConfiguredAuth(model.provider);
}

async function isUsable(runtime: ModelRuntime, model: PiModel): Promise<boolean> {
  return isConfigured(runtime, model) || (await runtime.checkAuth(model.provider)) !== undefined;
}

function unknownModel(runtime: ModelRuntime, name: string): AgentRuntimeError {
  const usable = runtime.getAvailableSnapshot().map(modelName);
  const shown =
    usable.length > 5 ? `${usable.slice(0, 5).join(", ")} and ${usable.length - 5} more` : usable.join(", ");
  const hint = `Usable now: ${shown || modelName({ provider: SCRIPTED_PROVIDER, id: SCRIPTED_ID })}`;
  const broken = runtime.getError();
  const text = `pi has no model "${name}". ${hint} (all: pi --list-models).`;
  return new AgentRuntimeError("model-unknown", broken === undefined ? text : `${text} ${broken}`);
}
