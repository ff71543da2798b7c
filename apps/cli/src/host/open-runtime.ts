import {
  type AgentRuntime,
  type AgentRuntimeOptions,
  type AskPolicy,
  createAgentRuntime,
  type Harness,
} from "@claxedo/agent-sdk-runtime";
import { claude, pi } from "@claxedo/agent-sdk-runtime/harnesses";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import { shortId, turnVerdict } from "../render/names.ts";
import { plainLine } from "../render/plain-text.ts";
import { piSessionsFolder } from "../store-path.ts";
import { type Console, tell } from "./console.ts";

/** The harnesses this command can run. */
export function harnessesOf(store: string): readonly Harness[] {
  return [pi({ sessionDir: piSessionsFolder(store) }), claude()];
}

/**
 * A runtime over the database at this path. Opening it is left to the first use. `asks`: what becomes of
 * requests that nobody answers.
 */
export function runtimeAt(
  store: string,
  role: NonNullable<AgentRuntimeOptions["role"]>,
  asks: AskPolicy = "deny",
): AgentRuntime {
  return createAgentRuntime({
    store: sqliteStore({ path: store }),
    harnesses: harnessesOf(store),
    role,
    asks,
  });
}

/**
 * Works with the runtime over a database, as a host: what lost hosts left is settled first, and told on
 * stderr. The runtime is closed whatever comes of the work; a fault in closing is told and changes nothing.
 */
export async function withRuntime<Result>(
  console: Console,
  store: string,
  work: (runtime: AgentRuntime) => Promise<Result>,
  asks?: AskPolicy,
): Promise<Result> {
  const runtime = runtimeAt(store, "host", asks);
  try {
    await tellRecovered(console, runtime);
    return await work(runtime);
  } finally {
    await runtime
      .close()
      .catch((error: unknown) => tell(console, `closing: ${plainLine(String(error), 400)}`));
  }
}

async function tellRecovered(console: Console, runtime: AgentRuntime): Promise<void> {
  const { recovered, failed } = await runtime.ready;
  for (const sessionId of recovered) {
    const { lastTurn } = await runtime.sessions.get(sessionId);
    const verdict = lastTurn === undefined ? "settled" : turnVerdict(lastTurn);
    await tell(
      console,
      `session ${shortId(sessionId)} lost its host in the middle of a turn; recovered: ${verdict}`,
    );
  }
  for (const { sessionId, message } of failed) {
    await tell(console, `session ${shortId(sessionId)} cannot be recovered now: ${message}`);
  }
}
