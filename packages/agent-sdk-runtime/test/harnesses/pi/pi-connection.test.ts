import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PiLab } from "./pi-lab.ts";

test("runs every kind of step with real tools and ends completed", async () => {
  const lab = new PiLab();
  const talk = await lab.connect();
  const ended = await talk.run(
    [
      "say: I write a file.",
      "write: notes/a.txt one\\ntwo\\n",
      "edit: notes/a.txt two => TWO",
      "read: notes/a.txt",
      "sleep: 0.01",
      "exec: wc -l < notes/a.txt",
    ].join("\n"),
  );
  expect(ended).toMatchObject({ outcome: "completed", stopReason: "stop" });
  expect(readFileSync(join(lab.directory, "notes/a.txt"), "utf8")).toBe("one\nTWO\n");
  expect(talk.all("tool.ended").map((event) => event.outcome)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
  expect(talk.text).toContain("I write a file.");
  expect(talk.text).toContain("Done: 5 steps. The last one gave:\n2");
  expect(talk.all("diagnostic")).toEqual([]);
  expect(talk.connection).toMatchObject({ model: "offline/scripted", resumed: false });
});

test("streams text in pieces that add up to the whole", async () => {
  const talk = await new PiLab().connect();
  await talk.run(`say: ${"A sentence that streams. ".repeat(20)}`);
  const answer = talk.all("message.started").find((message) => message.role === "assistant");
  const deltas = talk.all("message.delta").filter((delta) => delta.messageId === answer?.messageId);
  expect(deltas.length).toBeGreaterThan(10);
  expect(deltas.map((delta) => delta.text).join("")).toBe(talk.text);
});

test("fails the run on a model error and does not retry, whatever the error says", async () => {
  const talk = await new PiLab().connect();
  const ended = await talk.run("fail: 503 service unavailable: rate limit, timeout, context length exceeded");
  expect(ended).toMatchObject({ outcome: "failed", stopReason: "error" });
  expect(ended.error?.message).toContain("503 service unavailable");
  expect(talk.all("retry.scheduled")).toEqual([]);
  expect(talk.all("compaction.started")).toEqual([]);
  expect(await talk.run("say: and on it goes")).toMatchObject({ outcome: "completed" });
});

test("marks the children of the bash tool, and not its own process", async () => {
  const lab = new PiLab();
  const before = { ...process.env };
  const talk = await lab.connect();
  await talk.run('exec: echo "$CLAXEDO_OWNER/$CLAXEDO_TURN"', "turn-a");
  expect(talk.text).toContain(`${lab.owner}/turn-a`);
  await talk.run('exec: echo "$CLAXEDO_OWNER/$CLAXEDO_TURN"', "turn-b");
  expect(talk.text).toContain(`${lab.owner}/turn-b`);
  expect({ ...process.env }).toEqual(before);
});

test("goes on from its binding after a restart", async () => {
  const lab = new PiLab();
  const first = await lab.connect();
  await first.run("say: remember the heron");
  const binding = first.connection.binding();
  await first.connection.close(1000);
  const second = await lab.connect({ binding });
  expect(second.connection.resumed).toBe(true);
  expect(second.connection.nativeSessionId).toBe(first.connection.nativeSessionId);
  await second.run('exec: grep -c heron "$PI_SESSION_FILE"');
  expect(second.all("tool.ended")[0]).toMatchObject({ outcome: "ok" });
  expect(second.text).not.toContain("The last one gave:\n0");
});

test("starts afresh when the session file is gone", async () => {
  const lab = new PiLab();
  const sessionFile = join(lab.sessionDir, "gone.jsonl");
  const talk = await lab.connect({ binding: { sessionFile, sessionId: "gone", cursor: null } });
  expect(talk.connection.resumed).toBe(false);
  expect(await talk.run("say: hello")).toMatchObject({ outcome: "completed" });
  expect(existsSync(sessionFile)).toBe(false);
});

test("keeps what is handed over in its session, apart from the user's words", async () => {
  const lab = new PiLab();
  const talk = await lab.connect();
  const handover = 'Said before:\n{"user":"remember the heron"}';
  await talk.send("exec: echo the answer", "turn-1", handover);
  expect(await talk.until("run.ended")).toMatchObject({ outcome: "completed" });
  expect(talk.text).toContain("The last one gave:\nthe answer");
  expect(JSON.stringify(talk.all("part.ended"))).not.toContain("Said before");
  const { sessionFile } = talk.connection.binding() as { readonly sessionFile: string };
  const entries = readFileSync(sessionFile, "utf8").trimEnd().split("\n");
  const kept = entries.findIndex((entry) => entry.includes("Said before"));
  const prompt = entries.findIndex((entry) => entry.includes("exec: echo"));
  expect([kept > 0, prompt > kept]).toEqual([true, true]);
});

test("refuses a model it does not have and a directory that is not there", async () => {
  const lab = new PiLab();
  await expect(lab.connect({ model: "nobody/nothing" })).rejects.toMatchObject({
    code: "model-unknown",
    message: expect.stringContaining("offline/scripted"),
  });
  await expect(lab.connect({ model: "anthropic/claude-opus-4-5" })).rejects.toMatchObject({
    code: "model-unknown",
    message: expect.stringContaining("credentials"),
  });
  const request = {
    sessionId: "s",
    directory: join(lab.root, "no"),
    owner: "o",
    signal: new AbortController().signal,
  };
  await expect(lab.harness.connect(request)).rejects.toMatchObject({ code: "directory-missing" });
});

test("waits while nobody reads, and goes on once somebody does", async () => {
  const lab = new PiLab();
  const talk = await lab.connect();
  await talk.send(`say: short\n${"\n".repeat(9_000_000)}`);
  await new Promise((resolve) => setTimeout(resolve, 700));
  const held = await talk.connection.read();
  for (const frame of held ?? []) talk.take(frame);
  expect(talk.all("run.ended")).toEqual([]);
  expect(await talk.until("run.ended")).toMatchObject({ outcome: "completed" });
});

test("carries odd characters and a prompt of five megabytes unharmed", async () => {
  const lab = new PiLab();
  const talk = await lab.connect();
  const odd = "lone \ud800 surrogate, \u2028 separator, 👩‍💻 joiner, \0 nul";
  await talk.run(`say: ${odd}`);
  expect(talk.text).toBe(odd);
  const long = await lab.connect();
  await long.run(`Look at this: ${"long text ".repeat(500_000)}`);
  expect(long.all("run.ended")[0]).toMatchObject({ outcome: "completed" });
  expect(long.text.length).toBeLessThan(2000);
});

test("fails the run, and goes on later, when the session file cannot be written", async () => {
  const lab = new PiLab();
  const talk = await lab.connect();
  await talk.run("say: one");
  const { sessionFile } = talk.connection.binding() as { readonly sessionFile: string };
  renameSync(sessionFile, `${sessionFile}.away`);
  mkdirSync(sessionFile);
  expect(await talk.run("exec: touch two")).toMatchObject({ outcome: "failed" });
  rmdirSync(sessionFile);
  renameSync(`${sessionFile}.away`, sessionFile);
  expect(await talk.run("exec: touch three")).toMatchObject({ outcome: "completed" });
  expect(existsSync(join(lab.directory, "two"))).toBe(false);
});

test.each(["", "not a session\n"])("starts afresh when the session file holds only %j", async (content) => {
  const lab = new PiLab();
  const first = await lab.connect();
  await first.run("say: one");
  const binding = first.connection.binding() as { readonly sessionFile: string };
  writeFileSync(binding.sessionFile, content);
  const second = await lab.connect({ binding: { ...binding } });
  expect(second.connection.resumed).toBe(false);
  expect(await second.run("say: two")).toMatchObject({ outcome: "completed" });
  expect(readFileSync(binding.sessionFile, "utf8")).toBe(content);
});
