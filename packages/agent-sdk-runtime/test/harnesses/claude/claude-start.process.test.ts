import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withDeadline } from "../../../src/base/deadline.ts";
import type { ClaudeOptions } from "../../../src/harnesses/index.ts";
import { claude } from "../../../src/harnesses/index.ts";
import type { HarnessTalk } from "../../../src/testing/harness-talk.ts";
import { ClaudeLab, fake, program } from "./claude-lab.ts";

function lab(options?: ClaudeOptions): ClaudeLab {
  const made = new ClaudeLab(options);
  onTestFinished(() => made.remove());
  return made;
}

async function saysTo(talk: HarnessTalk, prompt: string): Promise<string | undefined> {
  await talk.run(prompt);
  return talk.parts.at(-1)?.text;
}

test("starts one long-lived process under a session id of its own choice", async () => {
  const place = lab();
  const talk = await place.connect({ model: "haiku", mode: "plan" });
  const { nativeSessionId = "", model } = talk.connection;
  const args = JSON.parse((await saysTo(talk, "args")) ?? "[]") as readonly string[];
  expect(args).toEqual(
    expect.arrayContaining([
      "--input-format=stream-json",
      "--permission-prompt-tool=stdio",
      "--include-partial-messages",
      "--model=haiku",
      "--permission-mode=plan",
      `--session-id=${nativeSessionId}`,
    ]),
  );
  expect([model, talk.connection.resumed, place.processes().length]).toEqual(["haiku", false, 1]);
  expect(talk.all("harness.updated").map((event) => event.nativeSessionId)).toEqual([nativeSessionId]);
});

test("marks the process with its owner, and passes options on", async () => {
  const place = lab({
    maxRetries: 0,
    partialMessages: false,
    env: { EXTRA: "given", CLAUDE_CODE_MAX_RETRIES: "7" },
    systemPrompt: { append: "Be brief." },
    extraArgs: ["--tools=Bash"],
    mcpServers: { mini: { command: "mini", args: ["--flag"] } },
  });
  const talk = await place.connect();
  const args = (await saysTo(talk, "args")) ?? "";
  for (const arg of ["--append-system-prompt=Be brief.", "--tools=Bash", "--mcp-config="])
    expect(args).toContain(arg);
  expect(args).not.toContain("--include-partial-messages");
  expect(await saysTo(talk, "env CLAXEDO_OWNER")).toBe(`${place.owner}_1`);
  expect(await saysTo(talk, "env CLAUDE_CODE_MAX_RETRIES")).toBe("0");
  expect(await saysTo(talk, "env EXTRA")).toBe("given");
});

test.each([-1, 1.5, Number.NaN])("refuses %s retries", (maxRetries) => {
  expect(() => claude({ maxRetries })).toThrow(expect.objectContaining({ code: "invalid-input" }));
});

test("says what to do where there is no program", async () => {
  const place = lab({ binary: join(import.meta.dirname, "no", "claude") });
  await expect(place.connect()).rejects.toMatchObject({
    code: "harness-unavailable",
    message: expect.stringMatching(/no\/claude.*Name an executable/u) as string,
  });
});

test("tells the last word of a program that ends at once, without its secrets", async () => {
  const error: unknown = await lab({ binary: fake("dies-at-start") })
    .connect()
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: "harness-failed",
    message: "Claude Code ended with exit code 7: fatal: cannot start",
  });
});

test("tells why a program refuses to begin", async () => {
  const place = lab({ binary: fake("refuses-initialize") });
  await expect(place.connect()).rejects.toMatchObject({
    code: "harness-failed",
    message: expect.stringContaining("Not today.") as string,
  });
  await place.until("it has ended", () => place.processes().length === 0);
});

test("ends a program that nobody waits for any more", async () => {
  const place = lab({ binary: fake("no-initialize") });
  const giveUp = new AbortController();
  const connecting = place.connect({ signal: giveUp.signal });
  await place.until("it is started", () => place.processes().length > 0);
  giveUp.abort();
  await expect(withDeadline(connecting, 20_000, "Giving up")).rejects.toMatchObject({ code: "closed" });
  await place.until("it has ended", () => place.processes().length === 0);
});

test("begins a new session where the CLI does not have the old one any more", async () => {
  const place = lab();
  const binding = { sessionId: randomUUID(), cwd: place.directory, configDir: place.configDir, cursor: 0 };
  const talk = await place.connect({ binding });
  expect([talk.connection.resumed, talk.connection.nativeSessionId === binding.sessionId]).toEqual([
    false,
    false,
  ]);
  expect((await talk.run("answer here")).outcome).toBe("completed");
  // Of the attempt to resume nothing is told.
  expect(talk.all("run.started")).toHaveLength(1);
  talk.finish();
});

test("does not begin anew where a session fails to be resumed for another reason", async () => {
  const place = lab({ binary: fake("dies-at-start") });
  const binding = { sessionId: randomUUID(), cwd: place.directory, configDir: place.configDir, cursor: 0 };
  await expect(place.connect({ binding })).rejects.toMatchObject({ code: "harness-failed" });
});

test.each([
  ["no-such-model", /"no-such-model".*not found/u],
  ["unrecognised", /"unrecognised".*not recognized/u],
  ["without-code", /"without-code".*no such model/u],
  ["", /no name of a model/u],
  [" ", /no name of a model/u],
  ["--dangerously-skip-permissions", /no name of a model/u],
])("refuses the model %j, and leaves nothing behind", async (model, message) => {
  const place = lab({ binary: program("model-desk") });
  await expect(place.connect({ model })).rejects.toMatchObject({
    code: "model-unknown",
    message: expect.stringMatching(message) as string,
  });
  await place.until("it has ended", () => place.processes().length === 0);
});

test.each([
  ["haiku", "is offered"],
  ["claude-haiku-5-5", "an offered name stands for"],
  ["unreachable", "cannot be looked up now"],
])("starts with the model %s, which %s", async (model) => {
  const talk = await lab({ binary: program("model-desk") }).connect({ model });
  expect(talk.connection.model).toBe(model);
});

test("offers by a program of its own that ends again", async () => {
  const place = lab();
  const { directory } = place;
  const signal = new AbortController().signal;
  const offer = await place.harness.offer?.({ directory, owner: `${place.owner}_offer`, signal });
  expect(offer?.models.map(({ id }) => id)).toContain("haiku");
  expect(place.processes()).toEqual([]);
});
