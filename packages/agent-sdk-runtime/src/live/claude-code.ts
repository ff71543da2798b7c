import { randomUUID } from "node:crypto";
import type { RawFrame } from "@claxedo/agent-event-runtime";
import { onAbort } from "../base/on-abort.ts";
import { FrameQueue } from "../harness/frame-queue.ts";
import { checkOptions } from "./check-options.ts";
import type { ClaudeSession } from "./claude-session.ts";
import { CLIError } from "./cli-error.ts";
import type { LiveInput } from "./input.ts";
import { LiveSession } from "./live-session.ts";
import {
  type ClaudeResult,
  isBackgroundResult,
  type LiveMessage,
  readMessage,
  readResult,
} from "./messages.ts";
import type { LiveSessionOptions } from "./options.ts";
import { liveArguments } from "./process/arguments.ts";
import { ClaudeProcess } from "./process/claude-process.ts";
import { childEnvironment } from "./process/environment.ts";
import { findBinary } from "./process/find-binary.ts";
import { writeMcpConfig } from "./process/mcp-config.ts";
import { readStrayLine } from "./stray-line.ts";

/** What a single question is asked with. */
export interface QueryOptions extends Omit<LiveSessionOptions, "tap" | "eventsBuffer"> {
  /** Ends it early, with the fault `closed`. */
  readonly signal?: AbortSignal;
}

/** Claude Code, run as a program. */
export const ClaudeCode: {
  /**
   * Starts a session and waits for the CLI's first word; the signal calls that off. Rejects with a
   * `CLIError`: `not-found`, `spawn-failed`, `exited`, `refused`, `protocol`, `timeout` or `closed`; wrong
   * options are an `AgentRuntimeError`.
   */
  session(options: LiveSessionOptions, signal?: AbortSignal): Promise<ClaudeSession>;
  /**
   * One process, one prompt, one result: every message in order, none lost, the result last. Leaving the
   * loop ends the process.
   */
  query(prompt: LiveInput, options: QueryOptions): AsyncGenerator<LiveMessage, ClaudeResult>;
  /** As `query`, for those who want the result only. */
  ask(prompt: LiveInput, options: QueryOptions): Promise<ClaudeResult>;
} = { session: openSession, query, ask };

/**
 * As `ClaudeCode.session`, with all that a session can do inside this package. When the signal is aborted
 * before it is open, its program is ended.
 */
export async function openSession(options: LiveSessionOptions, signal?: AbortSignal): Promise<LiveSession> {
  checkOptions(options);
  await using mcp = await writeMcpConfig(options.mcpServers);
  const args = liveArguments(options, mcp?.path);
  const env = { ...process.env, ...options.env };
  const owner = options.env?.["CLAXEDO_OWNER"] ?? `live.${process.pid}.${randomUUID()}_1`;
  const binary = await findBinary({ binary: options.binary, env });
  const isCalledOff = (): boolean => signal?.aborted === true;
  if (isCalledOff()) throw calledOff();
  const program = await ClaudeProcess.start({
    binary,
    args,
    cwd: options.cwd,
    env: childEnvironment(process.env, options.env, owner),
    owner,
  });
  using _ = onAbort(signal, () => void program.end(1000));
  try {
    return await LiveSession.open(options, program);
  } catch (error) {
    throw isCalledOff() ? calledOff({ cause: error }) : error;
  }
}

function calledOff(options?: { readonly cause: unknown }): CLIError {
  return new CLIError({ kind: "closed" }, "The session was called off before it was open.", options);
}

/** What a frame counts in the queue of a query, whose lines are not measured. */
const FRAME_BYTES = 4096;

async function* query(
  prompt: LiveInput,
  { signal, ...options }: QueryOptions,
): AsyncGenerator<LiveMessage, ClaudeResult> {
  const queue = new FrameQueue();
  const tap = async (frame: RawFrame): Promise<void> => {
    if ("dir" in frame && frame.dir === "sent") return;
    queue.push(frame, FRAME_BYTES);
    await queue.room();
  };
  await using session = await openSession({ ...options, tap }, signal);
  using _ = onAbort(signal, () => session.closeDetached());
  void session.terminated.then(() => queue.end());
  try {
    await session.send(prompt);
    for (;;) {
      const frames = await queue.read();
      if (frames === undefined) throw (await session.terminated).error;
      for (const frame of frames) {
        if (signal?.aborted === true) throw (await session.terminated).error;
        const message = readMessage("payload" in frame ? frame.payload : undefined);
        yield message ?? readStrayLine(frame);
        const result = message === undefined ? undefined : readResult(message);
        if (result !== undefined && !isBackgroundResult(result)) return result;
      }
    }
  } finally {
    // A reader that leaves makes room for nobody: the session must be able to end.
    queue.unbound();
  }
}

async function ask(prompt: LiveInput, { signal, ...options }: QueryOptions): Promise<ClaudeResult> {
  await using session = await openSession(options, signal);
  using _ = onAbort(signal, () => session.closeDetached());
  const result = await session.sendAndAwait(prompt);
  // A turn that is called off has a result as well.
  if (signal?.aborted === true) throw (await session.terminated).error;
  return result;
}
