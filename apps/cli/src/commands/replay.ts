import { resolve } from "node:path";
import { type EventAdapter, type Projection, adapters, projections } from "@claxedo/agent-event-runtime";
import type { ReplayPlan } from "../arguments/plan.ts";
import { exitCodes } from "../exit-code.ts";
import { type Console, tell } from "../host/console.ts";
import { accountText, counted } from "../replay/account-text.ts";
import { type Account, faultsIn, sumOf } from "../replay/account.ts";
import {
  type Lines,
  eventLines,
  jsonEvents,
  outputJson,
  outputText,
  projectedLines,
} from "../replay/lines.ts";
import { kindOfPath } from "../replay/read-steps.ts";
import { type Replayed, replayFile } from "../replay/replay-file.ts";
import { Selection } from "../replay/selection.ts";
import { summarize } from "../replay/summarize.ts";
import { UsageError } from "../usage-error.ts";

/** `claxedo replay`: what an adapter makes of a recording, or of each in a folder. */
export async function replay(console: Console, plan: ReplayPlan): Promise<number> {
  const path = resolve(console.cwd, plan.path);
  const adapter = named(adapters, "adapter", plan.adapter);
  const projection = named(projections, "projection", plan.projection);
  const kind = await kindOfPath(path);
  if (kind === "folder") refuseNarrowed(plan);
  if (plan.summary || kind === "folder") return summarize(console, plan, path, adapter);
  if (adapter === undefined)
    throw new UsageError(`Name the adapter that reads it: --adapter ${idsOf(adapters)}.`, "replay");
  return print(console, plan, path, adapter, linesFor(console, plan, projection));
}

async function print(
  console: Console,
  plan: ReplayPlan,
  path: string,
  adapter: EventAdapter,
  lines: Lines,
): Promise<number> {
  const selection = new Selection(plan.session);
  const write = async (texts: readonly string[]): Promise<boolean> => {
    for (const text of texts) await console.stdout.write(text);
    return !console.stdout.gone.aborted;
  };
  const replayed = await replayFile(path, adapter, (telling) =>
    write(selection.pass(telling).flatMap((passed) => lines.of(passed))),
  );
  if (!(await write(lines.rest()))) return exitCodes.completed;
  const chosen = replayed.sessions.filter((session) => selection.has(session));
  if (plan.session !== undefined && chosen.length === 0) throw noSession(plan.session, replayed);
  return close(console, sumOf(chosen.map(({ account }) => account)), replayed.unreadable);
}

/** Tells what it came to, and answers the exit code. */
async function close(console: Console, account: Account, unreadable: number): Promise<number> {
  await tell(console, accountText(account, console.paint.err));
  if (unreadable > 0)
    await tell(console, `${counted(unreadable, "line")} skipped: not of the form of a recording`);
  return faultsIn(account).length === 0 ? exitCodes.completed : exitCodes.failed;
}

function linesFor(console: Console, { json }: ReplayPlan, projection: Projection | undefined): Lines {
  const paint = console.paint.out;
  if (projection === undefined) return json ? jsonEvents() : eventLines(paint);
  return projectedLines(projection, json ? outputJson : outputText(projection, paint));
}

function refuseNarrowed({ path, projection, session }: ReplayPlan): void {
  if (projection !== undefined || session !== undefined)
    throw new UsageError(`${path} is a folder: --projection and --session are for one recording.`, "replay");
}

/** What goes by that id; `undefined` when none was named. A UsageError when there is no such thing. */
function named<Thing>(
  known: ReadonlyMap<string, Thing>,
  kind: string,
  id: string | undefined,
): Thing | undefined {
  const thing = id === undefined ? undefined : known.get(id);
  if (id !== undefined && thing === undefined)
    throw new UsageError(`There is no ${kind} "${id}": --${kind} is ${idsOf(known)}.`, "replay");
  return thing;
}

function idsOf(known: ReadonlyMap<string, unknown>): string {
  return [...known.keys()].join(" or ");
}

function noSession(nativeId: string, { sessions }: Replayed): UsageError {
  const names = sessions.flatMap(({ nativeIds }) => nativeIds);
  const said = names.length === 0 ? "it names none" : `it names ${names.join(", ")}`;
  return new UsageError(`The recording has no session "${nativeId}": ${said}.`, "replay");
}
