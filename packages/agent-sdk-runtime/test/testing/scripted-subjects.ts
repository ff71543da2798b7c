import type { HarnessSubject } from "../../src/testing/index.ts";

/** What `scriptedHarness()` is put to the test with. */
export const scripted: Omit<HarnessSubject, "stage"> = {
  prompts: {
    answer: "answer forty-two",
    work: "never",
    stream: "flood 5",
    garbage: "garbage",
    death: "crash",
  },
  supports: {},
};

/** What `scriptedClaude()` is put to the test with. */
export const claude: Omit<HarnessSubject, "stage"> = {
  prompts: {
    answer: "answer forty-two",
    work: "work",
    garbage: "garbage",
    death: "crash",
    ask: "ask",
    question: "question",
    brief: "fold",
    background: "background",
    report: "background done",
  },
  supports: {
    permissions: true,
    questions: true,
    offer: true,
    configure: true,
    tasks: true,
    steer: true,
    resume: true,
  },
};
