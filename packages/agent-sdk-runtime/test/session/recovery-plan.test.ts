import { describe, expect, test } from "vitest";
import { recoveryVerdict } from "../../src/session/recovery-plan.ts";
import type { RunningTurn } from "../../src/session/session-state.ts";

const unsent: RunningTurn = {
  record: { turnId: "t", inputId: "i", status: "running", seq: { queued: 1 }, time: { queued: 1 } },
  inputs: [{ inputId: "i", sent: false }],
  runs: [],
};

describe("the verdict on a turn that was left open", () => {
  test("names what this host could not store, and why", () => {
    const failure = { code: "store-full", message: "The disk is full." };
    expect(recoveryVerdict(unsent, failure)).toEqual({
      outcome: "failed",
      reason: "store-failed",
      error: {
        code: "store-full",
        message: "The disk is full. The agent never got it. Send it again if you want it done.",
      },
    });
  });

  test.each([undefined, { code: "fenced", message: "Another host has taken it." }])(
    "is that its host was lost: %o",
    (failure) => {
      const verdict = recoveryVerdict(unsent, failure);
      expect(verdict).toMatchObject({ reason: "host-lost", error: { code: "host-lost" } });
      expect(verdict.error?.message).toMatch(/^The process that ran this turn ended before the turn did\. /u);
    },
  );
});
