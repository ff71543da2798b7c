/** What became of a send that carries a uuid. */
export interface SendFate {
  /**
   * `written`: nothing has been heard of it. `unobserved`: this CLI does not tell. `known`: the session
   * had it already, so nothing was run. The others are the CLI's own.
   */
  readonly state: "written" | "queued" | "started" | "completed" | "cancelled" | "known" | "unobserved";
  /** The value of `resultsSeen` that the result which took it up had brought. */
  readonly result?: number;
}

/** Fates by uuid: all open ones, and the last 256 that are settled. Oldest first. */
export type SendFates = ReadonlyMap<string, SendFate>;

/** Fates kept of sends that are settled. */
const KEPT = 256;

/** Whether nothing more will be heard of a send. */
export function isSettled(fate: SendFate): boolean {
  if (fate.state === "completed") return fate.result !== undefined;
  return fate.state === "cancelled" || fate.state === "known" || fate.state === "unobserved";
}

/**
 * A send was written, to a CLI that tells what becomes of it or does not. Of a uuid that it has heard of
 * before, the process (seen in 2.1.332) takes no notice, without a word.
 */
export function written(fates: SendFates, uuid: string, isTold: boolean): SendFates {
  const before = fates.get(uuid);
  const next = new Map(fates);
  next.delete(uuid);
  const fate: SendFate = { state: isTold ? "written" : "unobserved" };
  return trimmed(next.set(uuid, before === undefined ? fate : writtenAgain(before)));
}

function writtenAgain(before: SendFate): SendFate {
  return isSettled(before) && before.state !== "unobserved" ? { state: "known" } : before;
}

const TOLD: ReadonlySet<string> = new Set(["queued", "started", "completed", "cancelled"]);

/** The CLI said what became of a send. */
export function told(fates: SendFates, uuid: string, said: string): SendFates {
  return changed(fates, [uuid], (fate) => {
    if (!TOLD.has(said)) return fate;
    // Completed without having been queued: the session had it already.
    const isKnown = said === "completed" && fate.state === "written";
    return isKnown ? { state: "known" } : { ...fate, state: said as SendFate["state"] };
  });
}

/** A result names the sends that it took up; the word on one of them may be late, or never come. */
export function consumed(fates: SendFates, uuids: readonly string[], result: number): SendFates {
  return changed(fates, uuids, ({ state }) => ({ state: state === "written" ? "completed" : state, result }));
}

/** Nothing will be heard of any of them. */
export function unobserved(fates: SendFates): SendFates {
  return changed(fates, [...fates.keys()], () => ({ state: "unobserved" }));
}

function changed(
  fates: SendFates,
  uuids: readonly string[],
  change: (fate: SendFate) => SendFate,
): SendFates {
  const next = new Map(fates);
  for (const uuid of uuids) {
    const fate = next.get(uuid);
    if (fate !== undefined) next.set(uuid, change(fate));
  }
  return trimmed(next);
}

/** Takes out the oldest settled ones that are too many. */
function trimmed(fates: Map<string, SendFate>): SendFates {
  if (fates.size <= KEPT) return fates;
  const settled = [...fates].filter(([, fate]) => isSettled(fate));
  for (const [uuid] of settled.slice(0, Math.max(settled.length - KEPT, 0))) fates.delete(uuid);
  return fates;
}
