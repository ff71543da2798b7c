import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import { onAbort } from "./on-abort.ts";

/** What becomes of work that is not waited for any more. */
export interface Waiting<Result> {
  /** Aborted when nobody waits any more: the promise rejects with `closed`. */
  readonly signal?: AbortSignal;
  /** Gets a result that came too late. */
  readonly onLate?: (result: Result) => void;
}

/** The promise's result, or `timeout` once `ms` have passed. The work itself goes on. */
export async function withDeadline<Result>(
  work: Promise<Result>,
  ms: number,
  what: string,
  { signal, onLate }: Waiting<Result> = {},
): Promise<Result> {
  let late = false;
  let leave: (error: AgentRuntimeError) => void = () => undefined;
  const left = new Promise<never>((_, reject) => {
    leave = (error) => {
      late = true;
      reject(error);
    };
  });
  work.then((result) => late && onLate?.(result)).catch(() => undefined);
  using _ = onAbort(signal, () => leave(new AgentRuntimeError("closed", `${what} was given up.`)));
  const timer = setTimeout(
    () => leave(new AgentRuntimeError("timeout", `${what} took longer than ${ms} ms.`)),
    ms,
  );
  try {
    return await Promise.race([work, left]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the promise settled within `ms`. Its failure counts as settled. */
export async function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true).catch(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
