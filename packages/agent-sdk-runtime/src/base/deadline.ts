import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";

/**
 * The promise's result, or `timeout` once `ms` have passed. The work goes on: `onLate` gets a result
 * that nobody waits for any more.
 */
export async function withDeadline<Result>(
  work: Promise<Result>,
  ms: number,
  what: string,
  onLate?: (result: Result) => void,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  let late = false;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true;
      reject(new AgentRuntimeError("timeout", `${what} took longer than ${ms} ms.`));
    }, ms);
  });
  work.then((result) => late && onLate?.(result)).catch(() => undefined);
  try {
    return await Promise.race([work, timeout]);
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
