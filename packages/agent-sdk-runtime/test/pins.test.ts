// What users of the package build on. A change here is a decision, and needs a changeset.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentRuntimeErrorCode } from "../src/errors/agent-runtime-error.ts";
import * as harnesses from "../src/harnesses/index.ts";
import * as index from "../src/index.ts";
import * as live from "../src/live/index.ts";
import * as memory from "../src/stores/memory/index.ts";
import * as sqlite from "../src/stores/sqlite/index.ts";
import * as testing from "../src/testing/index.ts";

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
  readonly exports: object;
  readonly publishConfig: { readonly exports: object };
};

describe("what users build on stays as it is", () => {
  test("the entry points", () => {
    const entries = [
      ".",
      "./harnesses",
      "./live",
      "./stores/memory",
      "./stores/sqlite",
      "./testing",
      "./package.json",
    ];
    expect(Object.keys(manifest.exports)).toEqual(entries);
    expect(Object.keys(manifest.publishConfig.exports)).toEqual(entries);
  });

  test("the names of each", () => {
    const names = (entry: object): readonly string[] => Object.keys(entry).toSorted();
    expect(names(index)).toEqual([
      "AgentRuntimeError",
      "FrameQueue",
      "createAgentRuntime",
      "defaultDeadlines",
    ]);
    expect(names(harnesses)).toEqual(["claude", "harnessDefinitions", "pi"]);
    expect(names(live)).toEqual(["CLIError", "ClaudeCode", "isBackgroundResult", "isSuccess"]);
    expect(names(memory)).toEqual(["memoryDatabase", "memoryStore"]);
    expect(names(sqlite)).toEqual(["sqliteStore"]);
    expect(names(testing)).toEqual([
      "harnessConformance",
      "manualClock",
      "scriptedClaude",
      "scriptedHarness",
      "serveStore",
      "storeConformance",
    ]);
  });

  test("the codes of errors", () => {
    const codes: { readonly [Code in AgentRuntimeErrorCode]: true } = {
      "invalid-input": true,
      "not-supported": true,
      "session-not-found": true,
      "turn-not-found": true,
      "ask-not-found": true,
      "ask-ended": true,
      "task-not-found": true,
      "session-busy": true,
      "idempotency-conflict": true,
      "owned-elsewhere": true,
      fenced: true,
      conflict: true,
      "cursor-ahead": true,
      "harness-unknown": true,
      "access-unsupported": true,
      "model-unknown": true,
      "harness-unavailable": true,
      "harness-failed": true,
      "directory-missing": true,
      "store-unavailable": true,
      "store-full": true,
      "store-corrupt": true,
      "store-newer": true,
      "read-only": true,
      "node-unsupported": true,
      timeout: true,
      closed: true,
    };
    expect(Object.keys(codes)).toHaveLength(27);
  });

  test("the cases of the kits", () => {
    const supports = { severalHosts: true, readers: true, persistent: true, multiProcess: true };
    const stores = testing.storeConformance({ place: never, supports });
    expect(stores.map(({ id }) => id)).toEqual([
      "commit-all",
      "commit-repeated",
      "commit-repeated-stale",
      "commit-conflict",
      "commit-partly-refused",
      "commit-gap",
      "commit-positions",
      "commit-binding-kept",
      "commit-upserts",
      "commit-empty",
      "commit-copies",
      "commit-foreign-event",
      "own-create",
      "own-elsewhere",
      "own-release",
      "own-again",
      "own-stale-release",
      "own-missing",
      "own-unsettled",
      "own-dispose",
      "own-closed",
      "own-never-opened",
      "remove-all",
      "remove-last-word",
      "remove-refusals",
      "remove-fenced",
      "remove-empty",
      "remove-positions",
      "remove-elsewhere",
      "remove-lasting",
      "read-pages",
      "read-default-page",
      "read-sessions",
      "read-turns",
      "read-order",
      "read-nothing",
      "read-version",
      "read-version-others",
      "read-role",
      "read-before-open",
      "text-events",
      "text-ids",
      "text-large",
      "last-all",
      "last-positions",
      "process-owner",
      "process-killed",
      "process-unsettled",
      "process-answered",
      "process-race",
      "process-follow",
    ]);
    const harness = testing.harnessConformance({
      stage: never,
      prompts: {
        answer: "",
        work: "",
        stream: "",
        fail: "",
        garbage: "",
        death: "",
        ask: "",
        question: "",
        brief: "",
        background: "",
        report: "",
      },
      supports: {
        resume: true,
        history: true,
        models: true,
        permissions: true,
        questions: true,
        steer: true,
        offer: true,
        configure: true,
        tasks: true,
      },
    });
    expect(harness.map(({ id }) => id.replace("harness-", ""))).toEqual([
      "manifest",
      "connect",
      "directory",
      "model",
      "aborted",
      "strange-binding",
      "strange-history",
      "resume",
      "history",
      "death",
      "close-twice",
      "closed",
      "close-reading",
      "close-working",
      "close-unread",
      "answer",
      "input",
      "handover",
      "makes-frames",
      "stream",
      "fail",
      "garbage",
      "cancel",
      "interrupt-idle",
      "apart",
      "ask-allow",
      "ask-deny",
      "ask-cancel",
      "question-answer",
      "question-refuse",
      "offer",
      "offer-refused",
      "mode",
      "configure",
      "configure-refused",
      "steer",
      "steer-cancel",
      "task-stop",
      "task-report",
    ]);
  });
});

function never(): never {
  throw new Error("a case that is only listed makes nothing");
}
