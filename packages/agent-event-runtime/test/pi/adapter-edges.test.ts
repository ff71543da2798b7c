import { describe, expect, test } from "vitest";
import { type Json, emptySnapshot, piAdapter } from "../../src/index.ts";
import { frame, play, sent } from "../../src/testing/index.ts";
import { recording } from "./recordings.ts";
import { event, eventsOf, handedOver, ofCase, only, prompt } from "./talk.ts";

describe("extensions of pi", () => {
  test("dialogs are questions, and answers end them", () => {
    const events = ofCase("1.6.0-44-extension-ui");
    expect(only(events, "question.requested").slice(0, 2)).toMatchObject([
      {
        requestId: "q8",
        questions: [{ prompt: "Pick one", options: [{ label: "A" }, { label: "B" }] }],
        native: { method: "select" },
      },
      {
        questions: [{ prompt: "Sure?\nReally sure?", options: [{ label: "Yes" }, { label: "No" }] }],
        native: { method: "confirm" },
      },
    ]);
    expect(
      only(events, "question.ended").map(({ outcome, by, answers }) => [outcome, by, answers?.[0]]),
    ).toEqual([
      ["answered", "user", "B"],
      ["answered", "user", "Yes"],
      ["answered", "user", "Bob"],
      ["rejected", "user", undefined],
      ["expired", "harness", undefined],
      ["answered", "user", "Yes"],
      ["answered", "user", "No"],
    ]);
  });

  test("an abort cancels the questions of its run", () => {
    const ask = event("extension_ui_request", { id: "x", method: "confirm", title: "Sure?" });
    const late = sent({ type: "extension_ui_response", id: "x", confirmed: true });
    const events = eventsOf([event("agent_start"), ask, ask, sent({ type: "abort" }), late]);
    expect(only(events, "question.requested")).toHaveLength(1);
    expect(only(events, "question.ended")).toMatchObject([{ outcome: "cancelled", by: "user" }]);
    expect(events.at(-1)).toMatchObject({ type: "diagnostic", code: "pi.stray-frame" });
  });

  test("notices and faults of extensions are notices", () => {
    expect(
      only(ofCase("1.6.0-44-extension-ui"), "notice.added").map(({ level, text }) => `${level} ${text}`),
    ).toEqual([
      "info about to ask",
      'warning {"s":"B","c":true,"i":"Bob","t":false}',
      "error The pi extension command:boom failed: boom from extension",
    ]);
  });
});

describe("frames that pi should not send", () => {
  test("an event of a type that is not known is named", () => {
    expect(eventsOf([event("agent_dreamt")])).toMatchObject([
      { code: "frame.unknown", message: expect.stringContaining('"agent_dreamt"') },
    ]);
  });

  test.each<unknown>([null, 42, "text", [], {}, { type: 7 }])("%j gives a diagnostic", (payload) => {
    for (const dir of ["received", "sent"] as const) {
      expect(eventsOf([frame({ dir, channel: "", payload, at: 0 })])).toMatchObject([{ type: "diagnostic" }]);
    }
  });
});

describe("the stored state of the pi adapter", () => {
  const steps = recording("1.6.0-44-extension-ui").steps;

  test("is read back as it was, at every frame", () => {
    const states = steps.map((_, cut) => play(piAdapter, steps.slice(0, cut + 1)).snapshot.state);
    const stored = JSON.parse(JSON.stringify(states)) as readonly Json[];
    expect(stored.map((state) => piAdapter.parseState(state, 1))).toEqual(states);
  });

  test("is refused when any field of it is missing or of another type", () => {
    const rich = [
      prompt("hi", "in-1", { streamingBehavior: "steer" }),
      handedOver("ho", "in-2"),
      sent({ type: "bash", command: "true" }),
      event("agent_start"),
      event("extension_ui_request", { id: "x", method: "confirm", timeout: 5 }),
      event("compaction_start"),
      event("message_update", {
        assistantMessageEvent: { type: "toolcall_start", contentIndex: 0, id: "c", toolName: "bash" },
      }),
    ];
    const { state } = play(piAdapter, rich, emptySnapshot("s")).snapshot;
    expect(piAdapter.parseState(state, 1)).toEqual(state);
    for (const spoilt of spoiltVersions(state)) expect(piAdapter.parseState(spoilt, 1)).toBeUndefined();
    expect(piAdapter.parseState(state, 2)).toBeUndefined();
  });
});

/** The value with each single branch of it missing, or replaced by something of another type. */
function spoiltVersions(value: Json): readonly Json[] {
  const other: Json = { other: true };
  if (isList(value))
    return [other, ...value.flatMap((item, at) => spoiltVersions(item).map((bad) => value.with(at, bad)))];
  if (typeof value !== "object" || value === null) return [other];
  const entries = Object.entries(value);
  const missing = entries
    .filter(([key]) => key !== "holdsMore") // what few inputs are
    .map(([key]) => Object.fromEntries(entries.filter(([name]) => name !== key)));
  const replaced = entries.flatMap(([key, item]) =>
    spoiltVersions(item ?? null).map((bad) => Object.fromEntries([...entries, [key, bad] as const])),
  );
  return [other, ...missing, ...replaced];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
