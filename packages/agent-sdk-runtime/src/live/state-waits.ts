import { withDeadline } from "../base/deadline.ts";
import type { Watchable } from "../base/watchable.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import { checkTime } from "./check-options.ts";
import type { WaitOptions } from "./claude-session.ts";
import { CLIError } from "./cli-error.ts";
import type { LiveEnd, LiveState } from "./live-state.ts";

/** Throws what a wait would reject with before it has begun. */
export function checkWait({ timeoutMs, signal }: WaitOptions): void {
  checkTime("timeoutMs", timeoutMs);
  signal?.throwIfAborted();
}

/**
 * The state once it passes a test: at once, if it does now. Rejects with the recorded error once the session
 * has ended without it, with the fault `timeout`, or with the signal's reason. `what` follows "Claude Code
 * did not".
 */
export async function awaitState(
  watched: Watchable<LiveState>,
  test: (state: LiveState) => boolean,
  what: string,
  options: WaitOptions = {},
): Promise<LiveState> {
  const { timeoutMs, signal } = options;
  checkWait(options);
  const giveUp = new AbortController();
  const found = watched.until(
    (state) => test(state) || state.end !== undefined,
    signal === undefined ? giveUp.signal : AbortSignal.any([giveUp.signal, signal]),
  );
  const state = await (timeoutMs === undefined ? found : within(found, timeoutMs, what, giveUp));
  if (test(state)) return state;
  throw endOf(state).error;
}

/** The state now, then whenever it has changed, until the end stands in it. */
export async function* stateChanges(watched: Watchable<LiveState>): AsyncGenerator<LiveState, void> {
  let last: LiveState | undefined;
  while (last?.end === undefined) {
    const told: LiveState | undefined = last;
    last = await watched.until((state) => state !== told);
    yield last;
  }
}

/** The end of a session that has ended. */
export function endOf({ end }: LiveState): LiveEnd {
  if (end === undefined) throw new Error("A session ended without an end.");
  return end;
}

async function within<Result>(
  work: Promise<Result>,
  timeoutMs: number,
  what: string,
  giveUp: AbortController,
): Promise<Result> {
  try {
    return await withDeadline(work, timeoutMs, what);
  } catch (error) {
    if (!AgentRuntimeError.is(error) || error.code !== "timeout") throw error;
    giveUp.abort();
    throw new CLIError(
      { kind: "timeout", afterMs: timeoutMs },
      `Claude Code did not ${what} within ${timeoutMs} ms.`,
    );
  }
}
