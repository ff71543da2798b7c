// What users of the package build on. A change here is a decision, and needs a changeset.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CoreDiagnosticCode, EventType } from "../src/index.ts";
import * as schema from "../src/schema/index.ts";
import * as testing from "../src/testing/index.ts";

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
  readonly exports: object;
  readonly publishConfig: { readonly exports: object };
};

describe("what users build on stays as it is", () => {
  test("the entry points", () => {
    const entries = [".", "./schema", "./testing", "./package.json"];
    expect(Object.keys(manifest.exports)).toEqual(entries);
    expect(Object.keys(manifest.publishConfig.exports)).toEqual(entries);
  });

  test("the names of ./schema", () => {
    expect(Object.keys(schema).toSorted()).toEqual([
      "envelopeSchema",
      "eventSchema",
      "eventSchemas",
      "parseEvent",
    ]);
  });

  test("the names of ./testing", () => {
    expect(Object.keys(testing).toSorted()).toEqual([
      "account",
      "adapterConformance",
      "damagedRecording",
      "everyDraft",
      "everyEvent",
      "frame",
      "framingConformance",
      "goldenCases",
      "goldenText",
      "historyOf",
      "hostileFrame",
      "hostileValue",
      "partsOf",
      "play",
      "projectionConformance",
      "randomFrame",
      "received",
      "repeated",
      "sent",
      "take",
    ]);
  });

  test("the types of events", () => {
    const types: { readonly [Type in EventType]: true } = {
      "session.updated": true,
      "session.status": true,
      "session.deleted": true,
      "recovery.started": true,
      "recovery.ended": true,
      "harness.started": true,
      "harness.updated": true,
      "harness.ended": true,
      "turn.queued": true,
      "turn.started": true,
      "turn.ended": true,
      "run.started": true,
      "run.ended": true,
      "input.sent": true,
      "input.joined": true,
      "input.ended": true,
      "message.started": true,
      "message.delta": true,
      "part.added": true,
      "part.ended": true,
      "message.ended": true,
      "tool.started": true,
      "tool.input.delta": true,
      "tool.updated": true,
      "tool.output.delta": true,
      "tool.ended": true,
      "tool.amended": true,
      "file.changed": true,
      "plan.updated": true,
      "todo.updated": true,
      "permission.requested": true,
      "permission.ended": true,
      "question.requested": true,
      "question.ended": true,
      "task.started": true,
      "task.updated": true,
      "task.ended": true,
      "usage.updated": true,
      "ratelimit.updated": true,
      "retry.scheduled": true,
      "compaction.started": true,
      "compaction.ended": true,
      "auth.updated": true,
      "mcp.updated": true,
      "notice.added": true,
      diagnostic: true,
    };
    expect(testing.everyEvent.map(({ type }) => type).toSorted()).toEqual(Object.keys(types).toSorted());
  });

  test("the codes of the core's diagnostics", () => {
    const codes: { readonly [Code in CoreDiagnosticCode]: true } = {
      "frame.broken": true,
      "frame.unknown": true,
      "adapter.threw": true,
      "adapter.unbalanced": true,
      "snapshot.unusable": true,
      "input.unsent": true,
      "store.unreadable": true,
      "resume.failed": true,
      "resume.abandoned": true,
      "event.unknown-type": true,
      "event.invalid": true,
    };
    expect(Object.keys(codes)).toHaveLength(11);
  });

  test("the cases of the kits", () => {
    const router = { initialState: null, route: () => ({ state: null, deliveries: [] }) };
    const vocabulary = { types: [], fields: [] };
    const adapter = { recordings: [], kindOf: () => "", silent: new Set<string>(), vocabulary };
    const ids = [
      ...testing.adapterConformance({ ...adapter, adapter: never, supports: { router: () => router } }),
      ...testing.projectionConformance({ projection: never, supports: { rows: true } }),
      ...testing.framingConformance({ decoder: never, streams: [], supports: { lines: true } }),
    ].map(({ id }) => id);
    expect(ids).toEqual([
      "adapter-expected",
      "adapter-total",
      "adapter-speaks",
      "adapter-pure",
      "adapter-resumable",
      "adapter-numbered",
      "adapter-balanced",
      "adapter-unique",
      "adapter-small",
      "router-total",
      "router-pure",
      "router-resumable",
      "projection-total",
      "projection-pure",
      "projection-resumable",
      "projection-once",
      "projection-small",
      "projection-rows",
      "framing-total",
      "framing-cut-in-two",
      "framing-chunk-blind",
      "framing-keeps-nothing",
      "lines-end",
      "lines-mark",
      "lines-separators",
      "lines-broken",
      "lines-cap",
      "lines-line-ends",
    ]);
  });
});

function never(): never {
  throw new Error("a case that is only listed makes nothing");
}
