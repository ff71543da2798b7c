/** Acts when the signal is aborted, at once if it is already, until it is disposed of. */
export function onAbort(signal: AbortSignal | undefined, act: () => void): Disposable {
  if (signal?.aborted === true) act();
  signal?.addEventListener("abort", act);
  return { [Symbol.dispose]: () => signal?.removeEventListener("abort", act) };
}
