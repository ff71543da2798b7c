// The events of every committed recording, written down beside it: `golden` compares, `golden --write` writes.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConformanceCase, type GoldenFiles, goldenCases } from "../../src/testing/index.ts";
import { subjects } from "../subjects.ts";

const ADAPTERS = join(import.meta.dirname, "../../src/adapters");

function besideRecordings(adapterId: string): GoldenFiles {
  const path = (name: string): string => join(ADAPTERS, adapterId, "fixtures", name, "events.jsonl");
  return {
    read: (name) => (existsSync(path(name)) ? readFileSync(path(name), "utf8") : undefined),
    write: (name, text) => writeFileSync(path(name), text),
  };
}

/** One case for each recording of each adapter. */
export function goldenSuite(write: boolean): readonly ConformanceCase[] {
  return subjects.flatMap(({ adapter, recordings }) =>
    goldenCases({
      adapter,
      recordings,
      files: besideRecordings(adapter().id),
      write,
      rewrite: "npm run x -- pnpm --filter @claxedo/agent-event-runtime golden --write",
    }),
  );
}

if (process.argv[1] === import.meta.filename) {
  const write = process.argv.includes("--write");
  const faults = goldenSuite(write).flatMap(({ run }) => {
    try {
      run();
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else
    console.log(
      write ? "The golden texts are written: look at the difference." : "All golden texts are as they were.",
    );
}
