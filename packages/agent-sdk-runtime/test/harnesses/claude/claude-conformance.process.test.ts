import { describe, expect, test } from "vitest";
import { harnessConformance, type HarnessSubject } from "../../../src/testing/index.ts";
import { ClaudeLab } from "./claude-lab.ts";

const scripted: HarnessSubject = {
  stage: () => {
    const lab = new ClaudeLab();
    return { harness: lab.harness, directory: lab.directory, remove: () => lab.remove() };
  },
  prompts: {
    answer: "answer forty-two",
    work: "work",
    stream: `stream ${"A sentence that streams. ".repeat(20)}`,
    fail: "fail no such thing",
    garbage: "garbage\nanswer it went on",
    death: "die",
    ask: "ask Write",
    question: "question Which colour?",
    brief: "slow-tool sleep 2\nanswer done",
    background: "background sleep 60\nanswer begun",
    report: "background sleep 1\nanswer begun",
  },
  supports: {
    permissions: true,
    questions: true,
    offer: true,
    configure: true,
    tasks: true,
    steer: true,
    resume: true,
    history: true,
  },
};

describe("the native claude harness keeps the contract", () => {
  test.each(harnessConformance(scripted))("$title ($id)", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
