import { withDeadline } from "../base/deadline.ts";
import { onAbort } from "../base/on-abort.ts";
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
  using _ = onAbort(signal, () => giveUp.abort(signal?.reason));
  const found = watched.until((state) => test(state) || state.end !== undefined, giveUp.signal);
  const state = await (timeoutMs === undefined ? found : within(found, timeoutMs, what, giveUp));
  if (test(state)) return state;
  throw endOf(state).error;
}

/** The state now, then whenever it has changed, until the end stands in it. A reader may leave while it waits. */
export function stateChanges(watched: Watchable<LiveState>): AsyncIterator<LiveState, undefined> {
  const left = new AbortController();
  const over = { done: true, value: undefined } as const;
  let last: LiveState | undefined;
  const next = async (): Promise<IteratorResult<LiveState, undefined>> => {
    if (last?.end !== undefined || left.signal.aborted) return over;
    const told = last;
    last = await watched.until((state) => state !== told, left.signal);
    return { done: false, value: last };
  };
  return {
    next: () => next().catch(() => over),
    return: () => {
      left.abort();
      return Promise.resolve(over);
    },
  };
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
