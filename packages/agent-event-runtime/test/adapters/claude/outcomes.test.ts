import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { WireFrame } from "../../../src/index.ts";
import { type Outcomes, type Process, committed, outcomesOf, recordingsIn } from "./processes.ts";
import { control, eventsOf, fate, init, only, prompt, result, says } from "./said.ts";

/**
 * What each recording came to, judged from what is on the wire: a process each, in the words of `Outcomes`. It
 * has recordings beyond the committed ones, which are checked when CLAXEDO_RECORDINGS names their folder.
 */
const written = JSON.parse(readFileSync(join(import.meta.dirname, "outcomes.json"), "utf8")) as Readonly<
  Record<string, readonly Outcomes[]>
>;
const folder = process.env["CLAXEDO_RECORDINGS"];
const recordings = [
  ...committed().map(({ name, processes }) => ({ name, where: "committed", processes })),
  ...(folder === undefined ? [] : recordingsIn(folder)).map((found) => ({
    ...found,
    where: "in the folder",
  })),
];

describe("the outcomes of recordings of claude", () => {
  test.each(recordings)("are as written down: $name, $where", ({ name, processes }) => {
    expect(outcomesOf(processes)).toEqual(written[name]);
  });
});

/** The process with each line of the CLI changed. */
function changed(frames: Process, change: (frame: WireFrame) => Process): Process {
  return frames.flatMap((frame) =>
    frame.kind === undefined && frame.dir === "received" ? change(frame) : [frame],
  );
}

describe("lines of the CLI that should not be there", () => {
  test.each(committed())("change no outcome when each comes twice: $name", ({ name, processes }) => {
    const twice = processes.map((frames) => changed(frames, (frame) => [frame, frame]));
    expect(outcomesOf(twice)).toEqual(written[name]);
  });

  test.each(committed())("change no outcome when they name other sessions: $name", ({ name, processes }) => {
    const foreign = processes.map((frames) =>
      changed(frames, (frame) => [
        { ...frame, payload: { ...(frame.payload as object), session_id: `S${frame.at % 3}` } },
      ]),
    );
    expect(outcomesOf(foreign)).toEqual(written[name]);
  });
});

/** The process as an older CLI would have it, which says less of inputs. */
function withoutFates(frames: Process): Process {
  return changed(frames, (frame) => {
    const {
      user_message_uuids: _,
      user_message_uuid: __,
      ...payload
    } = frame.payload as Record<string, unknown>;
    return payload["type"] === "command_lifecycle" ? [] : [{ ...frame, payload }];
  });
}

describe("a CLI that tells no fates of inputs", () => {
  const live = committed().filter(({ name }) => !name.startsWith("history-"));
  /** A uuid that the session knows is sent again: nothing but its fate tells what becomes of it. */
  const lost = ["g-duplicate-uuid"];

  test.each(live)("settles inputs by their order: $name", ({ name, processes }) => {
    const outcomes = outcomesOf(processes.map(withoutFates));
    if (lost.includes(name)) expect(outcomes).not.toEqual(written[name]);
    else expect(outcomes).toEqual(written[name]);
  });

  const older = [prompt("a", { uuid: "u1", inputId: "in-1" }), init(), result()];
  const codes = (...steps: Parameters<typeof eventsOf>[0]): readonly string[] =>
    only(eventsOf(steps), "diagnostic").map(({ code }) => code);

  test("is told of once, when a run passes without a word on an input that has a uuid", () => {
    const twice = [...older, prompt("b", { uuid: "u2", inputId: "in-2" }), init(), result()];
    expect(codes(...twice)).toEqual(["claude.no-lifecycle"]);
    expect(only(eventsOf(twice), "diagnostic")).toMatchObject([
      { severity: "warning", message: expect.stringContaining("command_lifecycle") },
    ]);
    expect(only(eventsOf(twice), "input.ended").map(({ outcome }) => outcome)).toEqual([
      "answered",
      "answered",
    ]);
  });

  test("is not supposed of one that had no run to tell of, no uuid, or that tells them", () => {
    const failed = result({ subtype: "error_during_execution", is_error: true, num_turns: 0 });
    expect(codes(prompt("a", { uuid: "u1", inputId: "in-1" }), failed)).toEqual([]);
    expect(codes(prompt("a"), init(), result())).toEqual([]);
    expect(codes(older[0] ?? failed, fate("u1", "queued"), ...older.slice(1))).toEqual([]);
  });

  test("names what it dropped when it was asked to, so that this is known all the same", () => {
    const waiting = [...older.slice(0, 2), prompt("b", { uuid: "u2", inputId: "in-2" })];
    const dropped = (request: object, response: object): unknown =>
      only(
        eventsOf([
          ...waiting,
          control("c1", request),
          says({
            type: "control_response",
            response: { subtype: "success", request_id: "c1", response },
          }),
        ]),
        "input.ended",
      );
    const cancelled = [{ inputId: "in-2", outcome: "cancelled" }];
    expect(dropped({ subtype: "interrupt", cancel_queued: true }, { cancelled: ["u2"] })).toMatchObject(
      cancelled,
    );
    const one = { subtype: "cancel_async_message", message_uuid: "u2" };
    expect(dropped(one, { cancelled: true, message_uuid: "u2" })).toMatchObject(cancelled);
    expect(dropped(one, { cancelled: false })).toEqual([]);
  });
});
