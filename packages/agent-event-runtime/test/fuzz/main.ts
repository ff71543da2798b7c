// `npm run fuzz`: the laws of the conformance kits with ever new seeds, until the time is over or a law is broken.
import { randomInt } from "node:crypto";
import { Worker } from "node:worker_threads";
import { fuzzCases } from "./cases.ts";
import { type FuzzOptions, fuzzOptions, usage } from "./options.ts";
import { type Progress, brokenReport, closingReport } from "./report.ts";
import type { FuzzNews, RoundsToRun } from "./rounds.ts";

/** More than the tests take: a round is examples rather than recordings, and yet a matter of seconds. */
const EXAMPLES = 400;

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const options = read(argv);
  if (typeof options !== "string") return fuzz(options);
  process.stderr.write(`fuzz: ${options}\n${usage}`);
  return 2;
}

/** The options, or what is wrong with them. */
function read(argv: readonly string[]): FuzzOptions | string {
  try {
    const options = fuzzOptions(argv, randomInt(2 ** 31));
    const known = fuzzCases({ examples: 1 }, options.only).length > 0;
    return known ? options : `there is no case whose name begins with "${options.only}".`;
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

/** The exit code: 0, 1 when a law is broken, 128 and the signal's number when a signal ended it. */
async function fuzz({ minutes, seed, only }: FuzzOptions): Promise<number> {
  const started = performance.now();
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: { seed, only, examples: EXAMPLES } satisfies RoundsToRun,
  });
  const progress = { rounds: 0, cases: 0, broken: false };
  worker.on("message", (news: FuzzNews) => note(progress, news));
  const end = ending(worker, minutes * 60_000);
  process.stdout.write(`fuzz: ${minutes} min from seed ${seed}\n`);
  const code = await end;
  process.stdout.write(closingReport(progress, (performance.now() - started) / 1000));
  return progress.broken ? 1 : code;
}

function note(progress: { -readonly [Key in keyof Progress]: Progress[Key] }, news: FuzzNews): void {
  if (news.news === "round") progress.rounds += 1;
  else progress.cases += 1;
  if (news.news !== "broken") return;
  progress.broken = true;
  process.stderr.write(brokenReport(news));
}

/** Waits until the worker is done, the time is over or a signal comes; answers the exit code of that. */
function ending(worker: Worker, ms: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let code = 0;
    const stop = (signalled: number): void => {
      code = signalled;
      void worker.terminate();
    };
    const timeout = setTimeout(() => stop(0), ms);
    const interrupted = (): void => stop(130);
    const terminated = (): void => stop(143);
    process.once("SIGINT", interrupted).once("SIGTERM", terminated);
    worker.once("error", reject);
    worker.once("exit", () => {
      clearTimeout(timeout);
      process.removeListener("SIGINT", interrupted).removeListener("SIGTERM", terminated);
      resolve(code);
    });
  });
}
