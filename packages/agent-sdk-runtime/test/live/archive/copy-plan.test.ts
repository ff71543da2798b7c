import { expect, it } from "vitest";
import { planCopy, type CopyPlan } from "../../../src/live/archive/copy-plan.ts";

const file = { size: 100, mtimeMs: 5_000_000.25 };
const settled = { size: 100, mtimeMs: 5_000_000.249, ctimeMs: 5_002_001 };
const rows = { grows: true, cut: false };
const whole = { grows: false, cut: false };

const cases: readonly (readonly [
  what: string,
  plan: CopyPlan,
  copy: typeof settled | undefined,
  rule: typeof rows,
])[] = [
  ["there is none", "renew", undefined, rows],
  ["it has the size and time of the file", "keep", settled, rows],
  [
    "it has them, but was made when another change could have had that time",
    "extend",
    { ...settled, ctimeMs: 5_002_000 },
    whole,
  ],
  ["rows are missing", "extend", { ...settled, size: 99 }, rows],
  ["bytes are missing in what is not made of rows", "renew", { ...settled, size: 99 }, whole],
  ["it is longer than the file", "renew", { ...settled, size: 101 }, rows],
  ["it has another time", "renew", { ...settled, mtimeMs: 5_000_000 }, rows],
  [
    "it has another time, and the file goes on behind it",
    "extend",
    { ...settled, mtimeMs: 5_000_000 },
    { ...whole, cut: true },
  ],
];

it.each(cases)("when of a copy it holds that %s, the plan is to %s", (_, plan, copy, rule) => {
  expect(planCopy(file, copy, rule)).toBe(plan);
});
