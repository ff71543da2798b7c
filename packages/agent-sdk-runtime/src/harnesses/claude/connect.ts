import { randomUUID } from "node:crypto";
import { onAbort } from "../../base/on-abort.ts";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { ConnectRequest, HarnessOffer, OfferRequest } from "../../harness/harness.ts";
import { checkDirectory } from "../../harness/work-directory.ts";
import { openSession } from "../../live/claude-code.ts";
import type { LiveSession } from "../../live/live-session.ts";
import type { LiveSessionOptions } from "../../live/options.ts";
import { configDirectory } from "../../live/process/environment.ts";
import { readBinding } from "./binding.ts";
import { ClaudeConnection, type OpenedSession } from "./connection.ts";
import { hostError, isUnknownSession } from "./errors.ts";
import { offerOf } from "./offer.ts";
import type { ClaudeOptions } from "./options.ts";
import { checkModel, checkModelName } from "./settings.ts";
import { TappedFrames } from "./tapped-frames.ts";
import { Transcripts } from "./transcript.ts";

/** For a CLI that is not wanted any more to end. */
const UNWANTED_MS = 1000;

/** Starts a CLI: with the session of the binding where the CLI still has it, else with a new one. */
export async function connect(options: ClaudeOptions, request: ConnectRequest): Promise<ClaudeConnection> {
  checkModelName(request.model);
  await checkDirectory(request.directory);
  try {
    const opened = await open(options, request);
    return await checked(opened, options, request).catch(async (error: unknown) => {
      await opened.session.close(UNWANTED_MS);
      throw error;
    });
  } catch (error) {
    throw hostError(error);
  }
}

/** What a CLI of its own says that it offers; it ends again. */
export async function askOffer(options: ClaudeOptions, request: OfferRequest): Promise<HarnessOffer> {
  await checkDirectory(request.directory);
  try {
    const { session } = await start(options, request, {});
    const offer = offerOf(session.initialized);
    await session.close(UNWANTED_MS);
    return offer;
  } catch (error) {
    throw hostError(error);
  }
}

/** A session under the id that it was started with. */
type Started = Pick<OpenedSession, "session" | "frames" | "sessionId" | "resumed">;

async function open(options: ClaudeOptions, request: ConnectRequest): Promise<Started> {
  const { model, mode } = request;
  const settings = {
    ...(model === undefined ? undefined : { model }),
    ...(mode === undefined ? undefined : { permissionMode: mode }),
  };
  const stored = readBinding(request.binding)?.sessionId;
  if (stored !== undefined) {
    try {
      const resumed = await start(options, request, { ...settings, resume: stored });
      return { ...resumed, sessionId: stored, resumed: true };
    } catch (error) {
      if (!isUnknownSession(error)) throw error;
    }
  }
  const sessionId = randomUUID();
  return { ...(await start(options, request, { ...settings, sessionId })), sessionId, resumed: false };
}

/** The connection, once its model is known to be one. */
async function checked(
  opened: Started,
  options: ClaudeOptions,
  { model, directory, signal }: ConnectRequest,
): Promise<ClaudeConnection> {
  const { session, sessionId, resumed } = opened;
  using _ = onAbort(signal, () => void session.close(UNWANTED_MS));
  await checkModel(session, model);
  const place = { configDir: configDirectory(options.env), cwd: directory };
  const transcripts = await Transcripts.of(place, resumed ? sessionId : undefined);
  if (signal.aborted) throw tooLate();
  return new ClaudeConnection({ ...opened, model, place, transcripts });
}

async function start(
  options: ClaudeOptions,
  request: OfferRequest,
  how: Partial<LiveSessionOptions>,
): Promise<{ readonly session: LiveSession; readonly frames: TappedFrames }> {
  if (request.signal.aborted) throw tooLate();
  const frames = new TappedFrames();
  const session = await openSession(
    { ...sessionOptions(options, request), ...how, tap: frames.tap },
    request.signal,
  );
  return { session, frames };
}

function sessionOptions(
  { maxRetries, partialMessages = true, env, ...options }: ClaudeOptions,
  { directory, owner }: OfferRequest,
): LiveSessionOptions {
  const retries = maxRetries === undefined ? undefined : { CLAUDE_CODE_MAX_RETRIES: String(maxRetries) };
  return {
    ...options,
    cwd: directory,
    env: { ...env, ...retries, CLAXEDO_OWNER: owner },
    partialMessages,
    canUseTool: "manual",
  };
}

function tooLate(): AgentRuntimeError {
  return new AgentRuntimeError("closed", "Nobody waits for Claude Code any more.");
}
