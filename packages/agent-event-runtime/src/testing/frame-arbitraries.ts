import fc from "fast-check";
import type { FrameNote, RawFrame } from "../translation/event-adapter.ts";
import { type Recording, type PlayStep, frame } from "./play.ts";

/** Values that outside data may hold where something else is expected. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    "__proto__",
    "constructor",
    "",
    "toString",
    "hasOwnProperty",
    "\ud800",
    "\u2028",
    "x".repeat(5000),
  ),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], -1, 0, 0.5, 1e308, Number.NaN, undefined),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Ids that occur, some of them more than once and some of them names of what every object has. */
const hostileId = fc.constantFrom<unknown>(
  "__proto__",
  "constructor",
  "",
  "a",
  "b",
  "x".repeat(5000),
  7,
  null,
  {},
);

/** Frames with the given types and fields, filled with hostile values: close enough to get past the first look. */
export function hostileFrame(types: readonly string[], fields: readonly string[]): fc.Arbitrary<RawFrame> {
  const payload = fc
    .tuple(
      fc.constantFrom(...types),
      fc.dictionary(fc.constantFrom(...fields), hostileValue, { maxKeys: 6 }),
      fc.dictionary(fc.constantFrom("id", "toolCallId", "runId"), hostileId, { maxKeys: 3 }),
    )
    .map(([type, some, ids]) => ({ ...some, ...ids, type }));
  return wire(payload);
}

/** What a host may know of a frame. */
const frameNote: fc.Arbitrary<FrameNote> = fc.record(
  {
    inputId: fc.constantFrom("in-1", "in-2", "__proto__", ""),
    parts: fc.constant([{ type: "text", text: "own words" }] as const),
  },
  { requiredKeys: ["inputId"] },
);

/** Frames of any content at all, in every form that a frame can have. */
export const randomFrame: fc.Arbitrary<RawFrame> = fc.oneof(
  { weight: 6, arbitrary: wire(fc.oneof(hostileValue, fc.object({ maxDepth: 2 }))) },
  fc.record({ kind: fc.constant("quiet" as const), forMs: fc.nat(), at: fc.nat() }),
  fc.record({
    kind: fc.constant("broken" as const),
    text: fc.string(),
    bytes: fc.nat(),
    reason: fc.string(),
    at: fc.nat(),
  }),
);

function wire(payload: fc.Arbitrary<unknown>): fc.Arbitrary<RawFrame> {
  return fc
    .record({
      dir: fc.constantFrom("received" as const, "received" as const, "sent" as const),
      channel: fc.constantFrom("", "", "history", "__proto__"),
      payload,
      at: fc.nat(),
      note: fc.option(frameNote, { nil: undefined }),
      failed: fc.nat(9),
    })
    .map(({ note, failed, ...rest }) => {
      const whole = { ...rest, ...(note === undefined ? undefined : { note }) };
      return failed === 0 && rest.dir === "sent"
        ? { kind: "unsent", frame: whole, reason: "the pipe is closed", at: 0 }
        : whole;
    });
}

type Damage =
  | { readonly kind: "drop" | "duplicate" | "swap" | "finish" | "begin" }
  | { readonly kind: "mutate"; readonly path: number; readonly value: unknown }
  | { readonly kind: "insert"; readonly frame: RawFrame };

const damage = (foreign: fc.Arbitrary<RawFrame>): fc.Arbitrary<Damage> =>
  fc.oneof(
    fc.constantFrom<Damage>(
      { kind: "drop" },
      { kind: "duplicate" },
      { kind: "swap" },
      { kind: "finish" },
      { kind: "begin" },
    ),
    fc.record({ kind: fc.constant("mutate" as const), path: fc.nat(), value: hostileValue }),
    fc.record({ kind: fc.constant("insert" as const), frame: foreign }),
  );

/** A recording with up to twelve faults: frames lost, repeated, swapped, falsified or foreign, and connections that end. */
export function damagedRecording(
  recordings: readonly Recording[],
  foreign: fc.Arbitrary<RawFrame>,
): fc.Arbitrary<readonly PlayStep[]> {
  const faults = fc.array(fc.tuple(fc.nat(), damage(foreign)), { minLength: 1, maxLength: 12 });
  return fc.tuple(fc.constantFrom(...recordings), faults).map(([recording, hits]) => {
    let steps = recording.steps;
    for (const [place, fault] of hits) steps = inflict(steps, place % Math.max(1, steps.length), fault);
    return steps;
  });
}

function inflict(steps: readonly PlayStep[], at: number, fault: Damage): readonly PlayStep[] {
  const here = steps[at];
  if (here === undefined) return steps;
  const [before, after] = [steps.slice(0, at), steps.slice(at + 1)];
  switch (fault.kind) {
    case "drop":
      return [...before, ...after];
    case "duplicate":
      return [...before, here, here, ...after];
    case "swap":
      return [...before, ...after.slice(0, 1), here, ...after.slice(1)];
    case "finish":
      return [...before, { do: "finish", reason: "lost", at: 0 }, here, ...after];
    case "begin":
      return [...before, { do: "begin", at: 0 }, here, ...after];
    case "mutate":
      return [...before, mutated(here, fault.path, fault.value), ...after];
    case "insert":
      return [...before, frame(fault.frame), here, ...after];
  }
}

function mutated(step: PlayStep, path: number, value: unknown): PlayStep {
  if (step.do !== "frame" || step.frame.kind !== undefined) return step;
  return frame({ ...step.frame, payload: falsified(step.frame.payload, path, value) });
}

/** The value with one property, somewhere in it, replaced; `path` decides where. */
export function falsified(whole: unknown, path: number, value: unknown): unknown {
  if (typeof whole !== "object" || whole === null) return value;
  const keys = Object.keys(whole);
  const key = keys[path % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const inner = (whole as Record<string, unknown>)[key];
  const rest = Math.floor(path / Math.max(1, keys.length));
  const next = rest % 2 === 0 ? value : falsified(inner, Math.floor(rest / 2), value);
  if (Array.isArray(whole)) return whole.map((item: unknown, index) => (String(index) === key ? next : item));
  return Object.fromEntries(Object.entries(whole).map(([name, item]) => [name, name === key ? next : item]));
}
