import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RawFrame } from "@claxedo/agent-event-runtime";
import { expect, onTestFinished, test } from "vitest";
import { withDeadline } from "../../../src/base/deadline.ts";
import type { ClaudeOptions } from "../../../src/harnesses/index.ts";
import type { HarnessTalk } from "../../../src/testing/harness-talk.ts";
import { ClaudeLab, fake, program } from "./claude-lab.ts";

function lab(options?: ClaudeOptions): ClaudeLab {
  const made = new ClaudeLab(options);
  onTestFinished(() => made.remove());
  return made;
}

interface Binding {
  readonly sessionId: string;
  readonly cursor: number;
}

function bindingOf(talk: HarnessTalk): Binding {
  return talk.connection.binding() as unknown as Binding;
}

test("tells what it sends by itself, and not again what the host has committed", async () => {
  const talk = await lab().connect();
  const frames: RawFrame[] = [];
  const take = talk.take.bind(talk);
  talk.take = (more): void => {
    frames.push(...more);
    take(more);
  };
  await talk.run("answer one");
  await talk.connection.configure?.({ mode: "plan" });
  await talk.interrupt();
  await talk.run("answer two");
  const sent = frames.flatMap((frame) => ("dir" in frame && frame.dir === "sent" ? [frame] : []));
  const subtypes = sent.map(({ payload }) => {
    const { type, request } = payload as {
      readonly type: string;
      readonly request?: { readonly subtype: string };
    };
    return request?.subtype ?? type;
  });
  expect(subtypes.toSorted()).toEqual(["initialize", "interrupt", "set_permission_mode", "user", "user"]);
});

test("stamps every input with a uuid of its own, and runs a command as the one text that is a string", async () => {
  const { connection } = await lab().connect();
  const make = (parts: Parameters<typeof connection.prompt>[0]["parts"]): object =>
    connection.prompt({ turnId: "t", inputId: "i", parts }).payload as object;
  const text = { type: "text", text: "clear" } as const;
  const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
  const command = { type: "command", text: "/clear" } as const;
  expect(make([text])).toMatchObject({ message: { role: "user", content: [text] } });
  expect(make([command])).toMatchObject({ message: { role: "user", content: "/clear" } });
  expect(make([command, image])).toMatchObject({
    message: {
      content: [
        { type: "text", text: "/clear" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      ],
    },
  });
  const uuids = [make([text]), make([text])].map((payload) => (payload as { readonly uuid: string }).uuid);
  expect(new Set(uuids).size).toBe(2);
  for (const uuid of uuids) expect(uuid).toMatch(/^[0-9a-f-]{36}$/u);
});

test("writes only what it has made", async () => {
  const talk = await lab().connect();
  const made = talk.connection.prompt({
    turnId: "t",
    inputId: "i",
    parts: [{ type: "text", text: "answer x" }],
  });
  const copy = JSON.parse(JSON.stringify(made)) as typeof made;
  for (const frame of [copy, { ...made, payload: null }, { ...made, payload: { type: "user" } }])
    await expect(talk.connection.write(frame)).rejects.toMatchObject({ code: "invalid-input" });
  expect((await talk.run("answer y")).outcome).toBe("completed");
  expect(talk.all("run.started")).toHaveLength(1);
});

test("takes nothing from a CLI that nobody reads, and everything once somebody does", async () => {
  const place = lab({ binary: program("torrent") });
  const talk = await place.connect();
  await talk.send("600 65536");
  const file = join(place.directory, "written");
  const written = (): number => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
  let [last, unchanged] = [0, 0];
  await place.until("it has written much, and writes no more", () => {
    unchanged = written() === last ? unchanged + 1 : 0;
    last = written();
    return last > 100 && unchanged > 25;
  });
  expect(last * 65_536).toBeLessThan(16 * 1024 * 1024);
  expect((await talk.until("run.ended")).outcome).toBe("completed");
  expect(written()).toBe(600);
});

test("follows a session that is cleared, and goes on with that one", async () => {
  const place = lab();
  const talk = await place.connect();
  await talk.run("answer one");
  const first = bindingOf(talk);
  expect(first).toMatchObject({
    sessionId: talk.connection.nativeSessionId,
    cursor: expect.any(Number) as number,
  });
  const parts = [{ type: "command", text: "/clear" }] as const;
  await talk.write(talk.connection.prompt({ turnId: "t", inputId: "clear", parts }));
  await talk.until("run.ended");
  const second = bindingOf(talk);
  expect(second.sessionId).not.toBe(first.sessionId);
  expect(talk.all("harness.updated").at(-1)?.nativeSessionId).toBe(second.sessionId);
  expect(second.cursor).toBe(0);
  await talk.run("answer two");
  expect(bindingOf(talk)).toMatchObject({
    sessionId: second.sessionId,
    cursor: expect.any(Number) as number,
  });
  expect(bindingOf(talk).cursor).toBeGreaterThan(0);
  const binding = talk.connection.binding();
  await talk.close();
  const next = await place.connect({ binding });
  expect([next.connection.resumed, next.connection.nativeSessionId]).toEqual([true, second.sessionId]);
});

test("tells of the last prompt alone what its record has", async () => {
  const place = lab();
  const talk = await place.connect();
  await talk.run("answer one");
  const parts = [{ type: "text", text: "answer two" }] as const;
  const frame = talk.connection.prompt({ turnId: "t", inputId: "two", parts });
  const binding = talk.connection.binding();
  await talk.write(frame);
  await talk.until("input.ended", ({ inputId }) => inputId === "two");
  await talk.close();
  const told = (await place.harness.history(binding)).map(({ payload }) => JSON.stringify(payload));
  expect(told.filter((row) => row.includes("one"))).toEqual([]);
  expect(told.filter((row) => row.includes("two")).length).toBeGreaterThan(0);
  expect(told.at(-1)).toBe('{"type":"history.end","complete":true}');
});

test("ends when its CLI is killed, and says how", async () => {
  const place = lab();
  const talk = await place.connect();
  await talk.send("work");
  await talk.until("run.started");
  for (const pid of place.processes()) process.kill(pid, "SIGKILL");
  await talk.drain();
  expect(talk.connection.exit).toEqual({ signal: "SIGKILL", message: "Claude Code ended by SIGKILL" });
  talk.finish();
  await expect(talk.send("answer")).rejects.toMatchObject({ code: "harness-failed" });
});

test("says nothing of the end of a CLI that it has closed, but how it ended", async () => {
  const talk = await lab().connect();
  await talk.close();
  expect(talk.connection.exit).toEqual({ code: 0 });
});

test("ends a CLI that will not end within the grace, and what it started", async () => {
  const place = lab({ binary: fake("stubborn") });
  const talk = await place.connect();
  await talk.run("hello");
  const begun = Date.now();
  await talk.close(500);
  expect(Date.now() - begun).toBeLessThan(10_000);
  await place.until("nothing lives here any more", () => place.processes().length === 0);
});

test.each([0, 2000])("is closed within %i ms in the middle of a tool, which ends too", async (graceMs) => {
  const place = lab();
  const talk = await place.connect();
  await talk.send("slow-tool sleep 60");
  await place.until("the tool runs", () => place.processes().length > 1);
  const begun = Date.now();
  await talk.close(graceMs);
  expect(Date.now() - begun).toBeLessThan(graceMs + 10_000);
  await place.until("nothing lives here any more", () => place.processes().length === 0);
});

test("gives up a CLI that takes no input, which might get it later", async () => {
  const place = lab({ binary: fake("deaf"), controlTimeoutMs: 1000 });
  const talk = await place.connect();
  const frame = talk.connection.prompt({
    turnId: "t",
    inputId: "i",
    parts: [{ type: "text", text: "x".repeat(1_000_000) }],
  });
  await expect(withDeadline(talk.connection.write(frame), 60_000, "Writing")).rejects.toMatchObject({
    code: "harness-failed",
  });
  await talk.drain();
  await place.until("nothing lives here any more", () => place.processes().length === 0);
});

test("answers a request that no person could answer, instead of leaving it open", async () => {
  const talk = await lab({ binary: fake("calls-host") }).connect();
  await talk.run('{"subtype":"from_the_future"}');
  expect(talk.parts.at(-1)?.text).toContain("does not answer requests of the kind from_the_future");
});

test("hands the answers to a form on to the CLI", async () => {
  const schema = { type: "object", properties: { port: { type: "number" } } };
  const request = {
    subtype: "elicitation",
    mcp_server_name: "m",
    message: "Which port?",
    requested_schema: schema,
  };
  const talk = await lab({ binary: fake("calls-host") }).connect();
  await talk.send(JSON.stringify(request));
  const asked = await talk.until("question.requested");
  await talk.answer(asked, { kind: "question", answers: [["8080"]] });
  await talk.until("run.ended");
  expect(JSON.parse(talk.parts.at(-1)?.text ?? "")).toMatchObject({
    response: { action: "accept", content: { port: 8080 } },
  });
  expect(talk.all("question.ended").map(({ outcome }) => outcome)).toEqual(["answered"]);
});

test("changes nothing when one of two settings is refused", async () => {
  const talk = await lab({ binary: program("fixed-model") }).connect();
  await expect(talk.connection.configure?.({ mode: "plan", model: "opus" })).rejects.toMatchObject({
    code: "model-unknown",
    message: expect.stringMatching(/"opus".*This model is fixed/u) as string,
  });
  await talk.run("answer on");
  expect(talk.all("session.updated").findLast(({ mode }) => mode !== undefined)?.mode).toBe("default");
});
