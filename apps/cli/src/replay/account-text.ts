import { plainLine } from "../render/plain-text.ts";
import type { Paint } from "../render/style.ts";
import { type Account, type Counts, faultsIn } from "./account.ts";

/** `27 frames, 63 events, 2 runs (1 completed, 1 failed), no diagnostics`, and what is wrong. */
export function accountText(account: Account, paint: Paint): string {
  const { frames, events, runs, diagnostics } = account;
  const ended = [...runs.values()].reduce((sum, count) => sum + count, 0);
  const outcomes = [...runs].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  const said = [
    counted(frames, "frame"),
    counted(events, "event"),
    ended === 0 ? "no runs" : `${counted(ended, "run")} (${outcomes})`,
    diagnostics.size === 0 ? "no diagnostics" : `diagnostics ${codes(diagnostics)}`,
  ].join(", ");
  const faults = faultsIn(account);
  return faults.length === 0 ? said : `${said}; ${paint("red", plainLine(faults.join("; "), 400))}`;
}

/** The account as JSON has it. */
export function accountJson(account: Account): Readonly<Record<string, unknown>> {
  const { frames, events, runs, diagnostics, open } = account;
  return {
    frames,
    events,
    runs: Object.fromEntries(runs),
    diagnostics: Object.fromEntries(diagnostics),
    open,
    total: !diagnostics.has("adapter.threw"),
    balanced: !diagnostics.has("adapter.unbalanced") && open.length === 0,
  };
}

/** `1 frame`, `2 frames`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function codes(counts: Counts): string {
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, count]) => `${code} ${count}`)
    .join(", ");
}
