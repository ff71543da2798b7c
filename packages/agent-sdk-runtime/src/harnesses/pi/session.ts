import { statSync } from "node:fs";
import { join } from "node:path";
import type {
  AgentSession,
  ModelRuntime,
  SessionManager,
  SettingsManager,
} from "@earendil-works/pi-coding-agent";
import type { ConnectRequest } from "../../harness/harness.ts";
import { type PiBinding, readBinding } from "./binding.ts";
import type { PiLibrary, PiModel } from "./library.ts";
import { firstUsable, namedModel, scriptedName } from "./models.ts";
import type { PiOptions } from "./options.ts";
import { registerScriptedModel } from "./scripted-provider.ts";
import { SCRIPTED_PROVIDER } from "./scripted-model.ts";
import { type PiSettings, readUserSettings, sessionSettings } from "./settings.ts";

/** What children of pi carry in their environment. */
export interface ChildMark {
  readonly owner: string;
  turn: string | undefined;
}

/** A session of pi in this process, ready for prompts. */
export interface OpenedSession {
  readonly session: AgentSession;
  readonly resumed: boolean;
}

/** Opens a session: the one of the binding where its file is still there, else a new one. */
export async function openSession(
  pi: PiLibrary,
  options: PiOptions,
  request: ConnectRequest,
  mark: ChildMark,
): Promise<OpenedSession> {
  const agentDir = options.agentDir ?? pi.getAgentDir();
  const user = readUserSettings(pi, request.directory, agentDir);
  const runtime = await createRuntime(pi, agentDir);
  const binding = readBinding(request.binding);
  const stored = resumable(pi, request.directory, binding);
  const model = await chooseModel(runtime, request.model, stored, user);
  const settings = sessionSettings(pi, user, model?.provider === SCRIPTED_PROVIDER);
  const sessionDir = options.sessionDir ?? user.sessionDir;
  const sessionManager =
    stored ?? (sessionDir ? pi.SessionManager.create(request.directory, sessionDir) : undefined);
  const { session } = await pi.createAgentSession({
    cwd: request.directory,
    agentDir,
    modelRuntime: runtime,
    settingsManager: settings,
    resourceLoader: await loadResources(pi, request.directory, agentDir, settings),
    customTools: markedTools(pi, request.directory, settings, mark),
    ...(model && { model }),
    ...(sessionManager && { sessionManager }),
  });
  return { session, resumed: stored !== undefined };
}

async function createRuntime(pi: PiLibrary, agentDir: string): Promise<ModelRuntime> {
  const runtime = await pi.ModelRuntime.create({
    authPath: join(agentDir, "auth.json"),
    modelsPath: join(agentDir, "models.json"),
    refreshOnCreate: false,
  });
  await refreshedBy(runtime, () => registerScriptedModel(runtime));
  return runtime;
}

/**
 * Registering a model starts a refresh that pi leaves to itself: it could fail unheard, which ends a Node
 * process, and it writes files late. Here it is caught and waited for; it uses no network.
 */
async function refreshedBy(runtime: ModelRuntime, register: () => void): Promise<void> {
  const refresh = runtime.refresh.bind(runtime);
  let refreshed: ReturnType<typeof refresh> | undefined;
  const value: typeof refresh = (options) => {
    refreshed = refresh(options).catch(() => ({ aborted: true, errors: new Map() }));
    return refreshed;
  };
  Object.defineProperty(runtime, "refresh", { value, configurable: true });
  register();
  Reflect.deleteProperty(runtime, "refresh");
  await refreshed;
}

/** The stored session; `undefined`, to start afresh, when its file is missing, empty, damaged or another's. */
function resumable(
  pi: PiLibrary,
  directory: string,
  binding: PiBinding | undefined,
): SessionManager | undefined {
  // pi would make a new session under the old name of a missing or empty file.
  if (!binding || !statSync(binding.sessionFile, { throwIfNoEntry: false })?.size) return undefined;
  try {
    const stored = pi.SessionManager.open(binding.sessionFile, undefined, directory);
    return stored.getSessionId() === binding.sessionId ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** The named model, else the one the session had, else the user's default, else the demo model. */
async function chooseModel(
  runtime: ModelRuntime,
  name: string | undefined,
  stored: SessionManager | undefined,
  user: PiSettings,
): Promise<PiModel | undefined> {
  if (name !== undefined) return namedModel(runtime, name);
  const last = stored?.buildSessionContext().model;
  const former = last ? { provider: last.provider, id: last.modelId } : undefined;
  return firstUsable(runtime, [
    former,
    { provider: user.defaultProvider, id: user.defaultModel },
    scriptedName,
  ]);
}

/** Context files and skills, but no code of the workspace or of packages: it would run in our process. */
async function loadResources(pi: PiLibrary, cwd: string, agentDir: string, settingsManager: SettingsManager) {
  const loader = new pi.DefaultResourceLoader({
    cwd,
    agentDir,
    settingsManager,
    noExtensions: true,
    noThemes: true,
  });
  await loader.reload();
  return loader;
}

/** pi's own bash tool, with the mark in the environment of what it runs. */
function markedTools(pi: PiLibrary, cwd: string, settings: SettingsManager, mark: ChildMark) {
  if (settings.getDefaultTools()?.includes("bash") === false) return [];
  const shellPath = settings.getShellPath();
  const commandPrefix = settings.getShellCommandPrefix();
  const bash = pi.createBashToolDefinition(cwd, {
    ...(shellPath !== undefined && { shellPath }),
    ...(commandPrefix !== undefined && { commandPrefix }),
    spawnHook: (spawn) => ({
      ...spawn,
      env: { ...spawn.env, CLAXEDO_OWNER: mark.owner, CLAXEDO_TURN: mark.turn },
    }),
  });
  return [pi.defineTool(bash)];
}
