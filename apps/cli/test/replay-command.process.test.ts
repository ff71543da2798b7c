import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { eventsOf, Home, jsonLines } from "./command.ts";

const ADAPTERS = fileURLToPath(
  new URL("../../../packages/agent-event-runtime/src/adapters", import.meta.url),
);

function committed(adapter: string, name: string): string {
  return join(ADAPTERS, adapter, "fixtures", name, "recording.jsonl");
}

const hello = committed("pi", "1.6.0-02-prompt-text");
const killed = committed("pi", "0.73.1-50-kill9-mid-text");
const claude = committed("claude", "2.1.332-k-resume");

/** Two claude processes, of which the second names another session. */
function forked(home: Home): string {
  const line = (p: number, name: string): string =>
    `${JSON.stringify({ t: p, dir: "recv", p, line: JSON.stringify({ type: "system", subtype: "status", session_id: name }) })}\n`;
  const path = join(home.root, "forked.jsonl");
  writeFileSync(path, line(0, "first") + line(1, "second"));
  return path;
}

test("prints the events of a recording, and at the end what it came to", async () => {
  using home = new Home();
  const { code, stdout, stderr } = await home.run(["replay", hello, "--adapter", "pi"]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^ {4}1 {2}00:00:00\.002 {2}input\.sent {12}inputId=i1 /);
  expect(lines.at(-1)).toMatch(/^ {3}17 {2}00:00:00\.\d{3} {2}run\.ended .*outcome=completed/);
  expect(stderr).toBe("· 29 frames, 17 events, 1 run (1 completed), no diagnostics\n");
  expect(code).toBe(0);
});

test("prints the events as JSON, numbered without a gap over all connections", async () => {
  using home = new Home();
  const { code, stdout } = await home.run(["replay", "--json", "--adapter=pi", killed]);
  const events = eventsOf(stdout);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(events.map(({ sessionId }) => sessionId))).toEqual(new Set(["session-1"]));
  const ends = events.flatMap((event) =>
    event.type === "run.ended" ? [`${event.outcome} ${event.reason}`] : [],
  );
  expect(ends).toEqual(["completed harness.stop", "failed connection-lost", "completed harness.stop"]);
  expect(code).toBe(0);
});

test("prints a transcript, as text and as rows that are each told once, in order", async () => {
  using home = new Home();
  const options = ["--adapter", "pi", "--projection", "transcript"];
  const text = await home.run(["replay", killed, ...options]);
  expect(text.stdout).toMatch(/^> first \[\[text\]\]\nHello from the mock model\./);
  const rows = jsonLines((await home.run(["replay", "--json", killed, ...options])).stdout);
  expect(rows.map(({ type }) => type)).toEqual(["input", "text", "input", "text", "notice", "input", "text"]);
  expect(new Set(rows.map(({ rowId }) => rowId)).size).toBe(rows.length);
  expect(rows[0]).toMatchObject({ sessionId: "session-1", ordinal: 1 });
});

test("prints a debug trace, one line an event", async () => {
  using home = new Home();
  const options = ["--adapter", "pi", "--projection", "debug-trace"];
  const text = await home.run(["replay", hello, ...options]);
  expect(text.stdout.trimEnd().split("\n")).toHaveLength(17);
  expect(text.stdout).toMatch(/^1970-01-01T00:00:00\.002Z #1 input\.sent /);
  const [first] = jsonLines((await home.run(["replay", "--json", hello, ...options])).stdout);
  expect(first).toEqual({ sessionId: "session-1", line: text.stdout.split("\n")[0] });
});

test("prints two sessions as two streams, with a heading between them", async () => {
  using home = new Home();
  const file = forked(home);
  const text = await home.run(["replay", file, "--adapter", "claude"]);
  expect(text.stdout).toMatch(/^ {4}1 .*first\n[^]*== session-2 second\n {4}1 .*second\n/);
  const events = eventsOf((await home.run(["replay", "--json", file, "--adapter", "claude"])).stdout);
  const numbersOf = (id: string): readonly number[] =>
    events.flatMap(({ sessionId, seq }) => (sessionId === id ? [seq] : []));
  for (const id of ["session-1", "session-2"]) {
    expect(numbersOf(id).length).toBeGreaterThan(0);
    expect(numbersOf(id)).toEqual(numbersOf(id).map((_, index) => index + 1));
  }
});

test("prints one session only, or says which there are", async () => {
  using home = new Home();
  const file = forked(home);
  const one = await home.run(["replay", "--json", file, "--adapter", "claude", "--session", "second"]);
  expect(new Set(eventsOf(one.stdout).map(({ sessionId }) => sessionId))).toEqual(new Set(["session-2"]));
  expect(one.stderr).toMatch(/^· 1 frame, /);
  const none = await home.run(["replay", file, "--adapter", "claude", "--session", "third"]);
  expect(none).toMatchObject({ code: 2, stdout: "" });
  expect(none.stderr).toContain('The recording has no session "third": it names first, second.');
  const nameless = await home.run(["replay", hello, "--adapter", "pi", "--session", "x"]);
  expect(nameless.stderr).toContain("it names none");
});

test("goes on with a session that a second process resumes", async () => {
  using home = new Home();
  const { code, stdout } = await home.run(["replay", "--json", claude, "--adapter", "claude"]);
  const events = eventsOf(stdout);
  expect(new Set(events.map(({ sessionId }) => sessionId))).toEqual(new Set(["session-1"]));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.some((event) => event.type === "run.started" && event.runId.startsWith("c2."))).toBe(true);
  expect(code).toBe(0);
});

test("reads the lines of a harness alone, and tells of broken ones", async () => {
  using home = new Home();
  const received = readFileSync(hello, "utf8")
    .split("\n")
    .filter((line) => line.includes('"recv"'))
    .map((line) => String((JSON.parse(line) as { readonly line: unknown }).line));
  const file = join(home.root, "raw.ndjson");
  writeFileSync(file, ["{half", ...received].join("\n"));
  const { code, stdout, stderr } = await home.run(["replay", "--json", file, "--adapter", "pi"]);
  expect(eventsOf(stdout)[0]).toMatchObject({ type: "diagnostic", code: "frame.broken" });
  expect(eventsOf(stdout).at(-1)).toMatchObject({ type: "run.ended", outcome: "completed" });
  expect(stderr).toContain("1 run (1 completed), diagnostics frame.broken 1");
  expect(code).toBe(0);
});

test("shows nothing of a hostile recording that a terminal would obey", async () => {
  using home = new Home();
  const file = join(home.root, "hostile.ndjson");
  writeFileSync(
    file,
    `${JSON.stringify({ type: "\u001b]0;title\u0007", session_id: "\u001b[2J" })}\n{\u001b[2J\n`,
  );
  for (const projection of [
    [],
    ["--projection", "transcript"],
    ["--projection", "debug-trace"],
    ["--summary"],
  ]) {
    const { stdout, stderr } = await home.run(["replay", file, "--adapter", "claude", ...projection]);
    // eslint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  }
});

test("stops when nobody reads any more", async () => {
  using home = new Home();
  const command = home.start(["replay", hello, "--adapter", "pi"]);
  command.child.stdout.destroy();
  expect((await command.ended).code).toBe(0);
});

describe("wrong use is told, with exit code 2", () => {
  test.for([
    [["replay", "--adapter", "pi"], "Name a recording: claxedo replay FILE."],
    [["replay", "nothing.jsonl", "--adapter", "pi"], "nothing.jsonl"],
    [["replay", "nothing/at/all.jsonl", "--adapter", "pi"], "There is no "],
    [["replay", hello], "Name the adapter that reads it: --adapter claude or pi."],
    [["replay", hello, "--adapter", "nobody"], 'There is no adapter "nobody": --adapter is claude or pi.'],
    [
      ["replay", hello, "--adapter", "pi", "--projection", "film"],
      'There is no projection "film": --projection is transcript or debug-trace.',
    ],
    [["replay", hello, "--summary", "--session", "x"], "--session is about what is printed"],
    [["replay", ADAPTERS, "--projection", "transcript"], "is a folder"],
    [["replay", ".", "--adapter", "pi"], "There is no recording in "],
    [["replay", fileURLToPath(import.meta.url), "--adapter", "pi"], "is not a recording: no line of it"],
  ] as const)("%j", async ([argv, message]) => {
    using home = new Home();
    const { code, stdout, stderr } = await home.run(argv);
    expect(stderr).toContain(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});

describe("a folder of recordings", () => {
  test("is told in one line each and one for all, every committed recording total and balanced", async () => {
    using home = new Home();
    for (const adapter of ["pi", "claude"]) {
      const folder = join(ADAPTERS, adapter, "fixtures");
      const { code, stdout } = await home.run(["replay", folder, "--json"]);
      const summaries = jsonLines(stdout);
      const names = readdirSync(folder);
      expect(summaries).toHaveLength(names.length + 1);
      expect(summaries.filter(({ total, balanced }) => total !== true || balanced !== true)).toEqual([]);
      expect(summaries.at(-1)).toMatchObject({
        type: "totals",
        recordings: names.length,
        sound: names.length,
      });
      expect(code).toBe(0);
    }
  });

  test("comes to what each committed case says of itself", async () => {
    using home = new Home();
    for (const adapter of ["pi", "claude"]) {
      for (const name of readdirSync(join(ADAPTERS, adapter, "fixtures")).slice(0, 5)) {
        const about = JSON.parse(
          readFileSync(join(ADAPTERS, adapter, "fixtures", name, "case.json"), "utf8"),
        ) as { readonly runs: readonly string[]; readonly inputs: readonly string[] };
        const { stdout } = await home.run([
          "replay",
          committed(adapter, name),
          "--adapter",
          adapter,
          "--json",
        ]);
        const events = eventsOf(stdout);
        const runs = events.flatMap((event) =>
          event.type === "run.ended" ? [`${event.outcome} ${event.reason}`] : [],
        );
        const inputs = events.flatMap((event) => (event.type === "input.ended" ? [event.outcome] : []));
        expect({ name, runs, inputs }).toEqual({ name, runs: about.runs, inputs: about.inputs });
      }
    }
  });

  test("fails when one of its files is none, or has no adapter, and goes on with the others", async () => {
    using home = new Home();
    for (const folder of ["pi/a", "other"]) mkdirSync(join(home.workspace, folder), { recursive: true });
    writeFileSync(join(home.workspace, "pi/a/good.jsonl"), '{"t":0,"dir":"recv","line":"{}"}\n{"t":');
    writeFileSync(join(home.workspace, "pi/bad.jsonl"), "words\n");
    writeFileSync(join(home.workspace, "pi/notes.md"), "words\n");
    writeFileSync(join(home.workspace, "other/foreign.ndjson"), "{}\n");
    const { code, stdout } = await home.run(["replay", "."]);
    expect(stdout.split("\n")).toEqual([
      "✗ other/foreign.ndjson  no folder of its path has the name of an adapter",
      "✓ pi/a/good.jsonl       1 frame, 1 event, no runs, diagnostics pi.stray-frame 1; 1 line skipped",
      expect.stringMatching(/^✗ pi\/bad\.jsonl {10}.* is not a recording: no line of it is a JSON object\.$/),
      "3 recordings, 1 total and balanced: 1 frame, 1 event, no runs, diagnostics pi.stray-frame 1",
      "",
    ]);
    expect(code).toBe(1);
    const given = await home.run(["replay", "other", "--adapter", "claude"]);
    expect(given).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 total and balanced") as string,
    });
    expect((await home.run(["replay", "other"])).stderr).toContain("Name the adapter that reads them");
  });

  test("is one recording where it is a case: what else is there is about that recording", async () => {
    using home = new Home();
    for (const file of ["recording.jsonl", "events.jsonl"])
      writeFileSync(join(home.workspace, file), '{"t":0,"dir":"recv","line":"{}"}\n');
    const { stdout } = await home.run(["replay", ".", "--adapter", "pi"]);
    expect(stdout).toMatch(/^✓ recording\.jsonl .*\n1 recording, 1 total and balanced/);
  });
});
