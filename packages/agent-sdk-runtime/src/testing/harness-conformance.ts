import type { ConformanceCase } from "./conformance-case.ts";
import { connectionCases } from "./harness-cases/connection-cases.ts";
import { askCases } from "./harness-cases/ask-cases.ts";
import { runCases } from "./harness-cases/run-cases.ts";
import { settingsCases } from "./harness-cases/settings-cases.ts";
import { taskCases } from "./harness-cases/task-cases.ts";
import type { HarnessSubject } from "./harness-subject.ts";
import { HarnessTrial } from "./harness-trial.ts";

const CASES = [...connectionCases, ...runCases, ...askCases, ...settingsCases, ...taskCases];

/**
 * The promises of `Harness` and its connections, put to the test on one harness that really works. What it
 * `supports`, and which prompts there are, decides which.
 */
export function harnessConformance(subject: HarnessSubject): readonly ConformanceCase[] {
  const { supports, prompts, patienceMs = 30_000 } = subject;
  const chosen = CASES.filter(
    ({ needs = [], prompt }) =>
      needs.every((need) => supports[need] === true) &&
      (prompt === undefined || prompts[prompt] !== undefined),
  );
  return chosen.map(({ id, title, check }) => ({
    id,
    title,
    async run() {
      const trial = new HarnessTrial(await subject.stage(), prompts, supports, patienceMs);
      try {
        await check(trial);
      } finally {
        await trial.end();
      }
    },
  }));
}
