// Passes SIGINT, SIGTERM and SIGHUP on to a child exactly once.
//
// Ctrl-C on a terminal, and any `kill` of the process group, reaches the child directly; a signal sent to npm or
// to this process alone does not. Forwarding always would deliver the first kind twice, and a second Ctrl-C means
// something else to the child than the first. Node does not tell who sent a signal, so a witness does: `cat`, in
// our process group, waiting on a pipe. If it dies of the same signal, the whole group had it, the child too.
// npm adds its own copy when it is in the group; it arrives a moment later and is dropped. (npm starts scripts through
// `sh`, which would keep a signal to itself: so the scripts in package.json begin with `exec`.)
import { spawn } from "node:child_process";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** @type {readonly NodeJS.Signals[]} */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
/** How long the witness may take to die on a busy machine; a signal to us alone is late by as much. */
const witnessMs = 250;
/** How late npm's own copy of a signal to the group may come. */
const echoMs = 1_500;

/**
 * Relays until `stop`; while it does, the signals do not end this process.
 * @param {import("node:child_process").ChildProcess} child
 */
export function relaySignals(child) {
  let witness = startWitness();
  /** @type {NodeJS.Signals | undefined} */
  let received;
  /** Signals looked into at the moment, or whose echo may still come. @type {Set<NodeJS.Signals>} */
  const settling = new Set();

  /** @param {NodeJS.Signals} signal */
  function onSignal(signal) {
    received ??= signal;
    if (!settling.has(signal)) void relay(signal);
  }

  /** @param {NodeJS.Signals} signal */
  async function relay(signal) {
    settling.add(signal);
    const groupHadIt = await witness.diedOf(signal);
    if (groupHadIt) {
      witness = startWitness();
      await sleep(echoMs, undefined, { ref: false });
    } else child.kill(signal);
    settling.delete(signal);
  }

  for (const signal of signals) process.on(signal, onSignal);
  return {
    /** The first signal that arrived, if any did. */
    received: () => received,
    stop() {
      for (const signal of signals) process.removeListener(signal, onSignal);
      witness.dismiss();
    },
  };
}

/**
 * Keeps the same signals from ending this process until the function it returns is called: for work that must be
 * cleaned up after, where a signal may come late or twice.
 */
export function holdSignals() {
  const hold = () => {};
  for (const signal of signals) process.on(signal, hold);
  return () => {
    for (const signal of signals) process.removeListener(signal, hold);
  };
}

function startWitness() {
  const cat = spawn("cat", [], { stdio: ["pipe", "ignore", "ignore"] });
  /** @type {Promise<NodeJS.Signals | null>} */
  const death = new Promise((resolve) => {
    cat.once("exit", (_code, signal) => resolve(signal));
    // Without `cat` every signal is forwarded.
    cat.once("error", () => resolve(null));
  });
  cat.stdin.on("error", () => {});
  cat.unref();
  return {
    /** @param {NodeJS.Signals} signal */
    async diedOf(signal) {
      const timeout = sleep(witnessMs, null, { ref: false });
      // Where we were kept waiting ourselves, its death may be due right after our timer.
      const lastLook = timeout.then(() => nextTurn(null));
      return (await Promise.race([death, lastLook])) === signal;
    },
    /** Its pipe closes when we end, even when we are killed; so it never stays behind. */
    dismiss: () => cat.stdin.destroy(),
  };
}
