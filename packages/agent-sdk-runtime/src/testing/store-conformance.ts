import type { ConformanceCase } from "./conformance-case.ts";
import { commitCases } from "./store-cases/commit-cases.ts";
import { lastingCases } from "./store-cases/lasting-cases.ts";
import { ownershipCases } from "./store-cases/ownership-cases.ts";
import { processCases } from "./store-cases/process-cases.ts";
import { readCases } from "./store-cases/read-cases.ts";
import { removalCases } from "./store-cases/removal-cases.ts";
import { textCases } from "./store-cases/text-cases.ts";
import type { StoreSubject } from "./store-subject.ts";
import { StoreTrial } from "./store-trial.ts";

const CASES = [
  ...commitCases,
  ...ownershipCases,
  ...removalCases,
  ...readCases,
  ...textCases,
  ...lastingCases,
  ...processCases,
];

/** The promises of `SessionStore`, put to the test on one store. What it `supports` decides which. */
export function storeConformance(subject: StoreSubject): readonly ConformanceCase[] {
  const { supports, place, patienceMs = 10_000 } = subject;
  return CASES.filter(({ needs = [] }) => needs.every((need) => supports[need] === true)).map(
    ({ id, title, check }) => ({
      id,
      title,
      async run() {
        const trial = new StoreTrial(await place(), patienceMs);
        let fault: { readonly error: unknown } | undefined;
        await check(trial).catch((error: unknown) => (fault = { error }));
        // What breaks while closing counts, but does not hide what broke before.
        await trial[Symbol.asyncDispose]().catch((error: unknown) => (fault ??= { error }));
        if (fault !== undefined) throw fault.error;
      },
    }),
  );
}
