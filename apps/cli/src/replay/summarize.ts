import { relative, resolve } from "node:path";
import { type EventAdapter, adapters } from "@claxedo/agent-event-runtime";
import type { ReplayPlan } from "../arguments/plan.ts";
import { exitCodes } from "../exit-code.ts";
import { type Console, writeJson } from "../host/console.ts";
import { plainLine } from "../render/plain-text.ts";
import { UsageError } from "../usage-error.ts";
import { accountJson, accountText, counted } from "./account-text.ts";
import { type Account, faultsIn, sumOf } from "./account.ts";
import { adapterInPath, findRecordings } from "./find-recordings.ts";
import { kindOfPath } from "./read-steps.ts";
import { replayFile } from "./replay-file.ts";

/** What became of one recording: its account, or why there is none. */
interface Summary {
  readonly name: string;
  readonly adapter?: string;
  readonly account?: Account;
  readonly error?: string;
}

/** Translates each recording under a path, one line for each and one for all. Nothing of them is printed. */
export async function summarize(
  console: Console,
  { json }: ReplayPlan,
  path: string,
  given: EventAdapter | undefined,
): Promise<number> {
  const files = await recordingsAt(path);
  if (given === undefined && files.every((file) => adapterFor(file) === undefined))
    throw new UsageError(
      `Name the adapter that reads them: --adapter ${[...adapters.keys()].join(" or ")}. No folder in ${path} has the name of one.`,
      "replay",
    );
  const names = files.map((file) => relative(console.cwd, file) || file);
  const width = Math.max(...names.map((name) => name.length));
  const summaries: Summary[] = [];
  for (const [index, file] of files.entries()) {
    if (console.stdout.gone.aborted) break;
    const summary = await summaryOf(file, names[index] ?? file, given ?? adapterFor(file));
    summaries.push(summary);
    await (json
      ? writeJson(console, jsonOf(summary))
      : console.stdout.write(lineOf(console, summary, width)));
  }
  await writeTotals(console, json, summaries);
  return summaries.every(isSound) ? exitCodes.completed : exitCodes.failed;
}

async function recordingsAt(path: string): Promise<readonly string[]> {
  const files = (await kindOfPath(path)) === "folder" ? await findRecordings(path) : [path];
  if (files.length === 0)
    throw new UsageError(`There is no recording in ${path}: they are files *.jsonl or *.ndjson.`, "replay");
  return files;
}

function adapterFor(file: string): EventAdapter | undefined {
  const id = adapterInPath(resolve(file), new Set(adapters.keys()));
  return id === undefined ? undefined : adapters.get(id);
}

/** A file that cannot be read must not keep the others from being read. */
async function summaryOf(file: string, name: string, adapter: EventAdapter | undefined): Promise<Summary> {
  if (adapter === undefined) return { name, error: "no folder of its path has the name of an adapter" };
  try {
    const { sessions, unreadable } = await replayFile(file, adapter, () => Promise.resolve(true));
    const account = sumOf(sessions.map((session) => session.account));
    const error = unreadable === 0 ? undefined : `${counted(unreadable, "line")} skipped`;
    return { name, adapter: adapter.id, account, ...(error === undefined ? undefined : { error }) };
  } catch (error) {
    return { name, adapter: adapter.id, error: error instanceof Error ? error.message : String(error) };
  }
}

function isSound({ account }: Summary): boolean {
  return account !== undefined && faultsIn(account).length === 0;
}

function lineOf(console: Console, summary: Summary, width: number): string {
  const { name, account, error } = summary;
  const paint = console.paint.out;
  const mark = isSound(summary) ? paint("green", "✓") : paint("red", "✗");
  const said = [
    ...(account === undefined ? [] : [accountText(account, paint)]),
    ...(error === undefined ? [] : [paint("yellow", plainLine(error, 400))]),
  ];
  return `${mark} ${plainLine(name, 400).padEnd(width)}  ${said.join("; ")}\n`;
}

function jsonOf(summary: Summary): Readonly<Record<string, unknown>> {
  const { name, adapter, account, error } = summary;
  return {
    type: "recording",
    name,
    adapter,
    ...(account === undefined ? undefined : accountJson(account)),
    error,
  };
}

async function writeTotals(console: Console, json: boolean, summaries: readonly Summary[]): Promise<void> {
  const account = sumOf(summaries.flatMap((summary) => summary.account ?? []));
  const sound = summaries.filter(isSound).length;
  if (json)
    return writeJson(console, {
      type: "totals",
      recordings: summaries.length,
      sound,
      ...accountJson(account),
    });
  const all = counted(summaries.length, "recording");
  return console.stdout.write(
    `${all}, ${sound} total and balanced: ${accountText(account, console.paint.out)}\n`,
  );
}
