import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Harness } from "../../src/harness/harness.ts";
import { pi } from "../../src/harnesses/index.ts";
import {
  type HarnessStage,
  type HarnessSubject,
  harnessConformance,
  scriptedClaude,
  scriptedHarness,
} from "../../src/testing/index.ts";
import * as subjects from "../testing/scripted-subjects.ts";

function staged(make: (root: string) => Harness, more: Partial<HarnessStage> = {}): HarnessSubject["stage"] {
  return () => {
    const root = mkdtempSync(join(tmpdir(), "claxedo-harness-"));
    const directory = mkdtempSync(join(root, "workspace-"));
    const remove = (): void => rmSync(root, { recursive: true, force: true });
    return { harness: make(root), directory, remove, ...more };
  };
}

const scripted: HarnessSubject = { ...subjects.scripted, stage: staged(() => scriptedHarness()) };

const claude: HarnessSubject = {
  ...subjects.claude,
  stage: staged(() => scriptedClaude()),
  supports: { ...subjects.claude.supports, models: true },
};

const embeddedPi: HarnessSubject = {
  stage: staged((root) => pi({ agentDir: join(root, "agent"), sessionDir: join(root, "sessions") }), {
    model: "offline/scripted",
  }),
  prompts: {
    answer: "say: forty-two",
    work: "sleep: 90",
    stream: `say: ${"A sentence that streams. ".repeat(20)}`,
    fail: "fail: 503 service unavailable",
  },
  supports: { resume: true, history: true, models: true },
};

describe.each([
  ["the scripted harness", scripted],
  ["the scripted claude", claude],
  ["the scripted claude, in turns", { ...claude, prompts: { ...claude.prompts, brief: "apart" } }],
  ["pi, embedded", embeddedPi],
])("%s keeps the contract", (_name, subject) => {
  test.each(harnessConformance(subject))("$title ($id)", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
