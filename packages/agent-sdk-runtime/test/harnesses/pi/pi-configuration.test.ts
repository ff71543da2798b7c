import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { harnessDefinitions, pi } from "../../../src/harnesses/index.ts";
import { piOn } from "../../../src/harnesses/pi/harness.ts";
import { PiLab, scratch } from "./pi-lab.ts";

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A server that speaks as much of the completions API as one answer takes, and keeps what it was asked. */
async function modelServer(answer: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (data: Buffer) => (body += data.toString()));
    request.on("end", () => {
      asked.push(body);
      const piece = { id: "x", object: "chat.completion.chunk", created: 1, model: "m" };
      const deltas = [
        { choices: [{ index: 0, delta: { role: "assistant", content: answer }, finish_reason: null }] },
        { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      ];
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const delta of deltas) response.write(`data: ${JSON.stringify({ ...piece, ...delta })}\n\n`);
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

async function labWithModel(): Promise<{ readonly lab: PiLab; readonly asked: readonly string[] }> {
  const { url, asked } = await modelServer("The server says hello.");
  const lab = new PiLab();
  const local = {
    baseUrl: url,
    api: "openai-completions",
    apiKey: "key",
    models: [{ id: "m-1" }, { id: "m-2" }],
  };
  put(join(lab.agentDir, "models.json"), JSON.stringify({ providers: { local } }));
  return { lab, asked };
}

test.each(["local/m-1", "m-1"])("runs a model of the user's configuration named %s", async (model) => {
  const { lab } = await labWithModel();
  const talk = await lab.connect({ model });
  expect(talk.connection.model).toBe("local/m-1");
  expect(await talk.run("exec: this is no script for it")).toMatchObject({ outcome: "completed" });
  expect(talk.text).toBe("The server says hello.");
});

test("cancels a run that waits to try its model again", async () => {
  const lab = new PiLab();
  const local = {
    baseUrl: "http://127.0.0.1:9/v1",
    api: "openai-completions",
    apiKey: "key",
    models: [{ id: "m" }],
  };
  put(join(lab.agentDir, "models.json"), JSON.stringify({ providers: { local } }));
  const talk = await lab.connect({ model: "local/m" });
  await talk.send("hello");
  await talk.until("retry.scheduled");
  await talk.interrupt();
  expect(await talk.until("run.ended")).toMatchObject({ outcome: "cancelled" });
});

test("takes the user's default model when none is named, and leaves the settings as they are", async () => {
  const { lab } = await labWithModel();
  const settings = JSON.stringify({ defaultProvider: "local", defaultModel: "m-2" });
  put(join(lab.agentDir, "settings.json"), settings);
  const talk = await lab.connect();
  expect(talk.connection.model).toBe("local/m-2");
  await talk.run("hello");
  await talk.connection.close(1000);
  expect(readFileSync(join(lab.agentDir, "settings.json"), "utf8")).toBe(settings);
});

test("keeps the model of a resumed session, unless another is named", async () => {
  const { lab } = await labWithModel();
  const first = await lab.connect();
  await first.run("say: hello");
  const binding = first.connection.binding();
  put(join(lab.agentDir, "settings.json"), JSON.stringify({ defaultProvider: "local", defaultModel: "m-2" }));
  expect((await lab.connect({ binding })).connection.model).toBe("offline/scripted");
  const named = await lab.connect({ binding, model: "local/m-1" });
  expect(named.connection).toMatchObject({ model: "local/m-1", resumed: true });
});

test("tells what is wrong with a list of models it cannot read", async () => {
  const lab = new PiLab();
  put(join(lab.agentDir, "models.json"), "{ not json");
  const message = expect.stringMatching(/pi has no model "mine".*models\.json/su);
  await expect(lab.connect({ model: "mine" })).rejects.toMatchObject({ code: "model-unknown", message });
  expect((await lab.connect()).connection.model).toBe("offline/scripted");
});

test("does nothing any more once it is closed", async () => {
  const lab = new PiLab();
  const talk = await lab.connect();
  await talk.connection.close(1000);
  rmSync(lab.agentDir, { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(existsSync(lab.agentDir)).toBe(false);
});

test("falls back to the demo model when the user's default cannot be used", async () => {
  const lab = new PiLab();
  put(join(lab.agentDir, "settings.json"), JSON.stringify({ defaultProvider: "gone", defaultModel: "away" }));
  expect((await lab.connect()).connection.model).toBe("offline/scripted");
});

test("reads context files and the user's skills, and runs no code of the workspace", async () => {
  const { lab, asked } = await labWithModel();
  const ran = join(lab.root, "ran");
  const evil = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(ran)}, ""); export default () => {};`;
  put(join(lab.directory, "AGENTS.md"), "Mind the heron.");
  put(join(lab.directory, ".pi/extensions/evil.ts"), evil);
  put(
    join(lab.directory, ".pi/settings.json"),
    JSON.stringify({ extensions: ["./extensions"], shellCommandPrefix: `touch ${ran};` }),
  );
  put(join(lab.agentDir, "extensions/evil.ts"), evil);
  put(
    join(lab.agentDir, "skills/wading/SKILL.md"),
    "---\nname: wading\ndescription: Wades like a bird.\n---\nWade.",
  );
  const talk = await lab.connect({ model: "m-1" });
  await talk.run("hello");
  expect(asked[0]).toContain("Mind the heron.");
  expect(asked[0]).toContain("Wades like a bird.");
  const scripted = await lab.connect({ model: "offline/scripted" });
  await scripted.run("exec: true");
  expect(existsSync(ran)).toBe(false);
});

test("gives no shell to a user who has taken it away", async () => {
  const lab = new PiLab();
  put(join(lab.agentDir, "settings.json"), JSON.stringify({ defaultTools: ["read"] }));
  const talk = await lab.connect();
  await talk.run("exec: touch made");
  expect(talk.all("tool.ended")).toMatchObject([{ outcome: "failed" }]);
  expect(existsSync(join(lab.directory, "made"))).toBe(false);
});

test("tells its health and what is missing", async () => {
  expect(await pi().health()).toEqual({ ok: true, version: "1.6.0" });
  const absent = piOn({ nodeVersion: "24.0.0", installedVersion: () => undefined }, {});
  expect(await absent.health()).toMatchObject({ ok: false, message: expect.stringContaining("npm install") });
  const old = piOn({ nodeVersion: "22.13.0", installedVersion: () => "1.6.0" }, {});
  const request = { sessionId: "s", directory: scratch(), owner: "o", signal: new AbortController().signal };
  await expect(old.connect(request)).rejects.toMatchObject({ code: "harness-unavailable" });
});

test("closes a connection that nobody waits for any more", async () => {
  const lab = new PiLab();
  const request = { sessionId: "s", directory: lab.directory, owner: "o", signal: AbortSignal.abort() };
  await expect(lab.harness.connect(request)).rejects.toMatchObject({ code: "closed" });
});

test("offers five harnesses by id, each with its ways of access", () => {
  expect(harnessDefinitions.map(({ id, access }) => `${id}: ${access.join(" ")}`)).toEqual([
    "claude: native acp",
    "codex: native acp",
    "cursor: acp native",
    "opencode: native",
    "pi: native",
  ]);
  expect(pi()).toMatchObject({
    id: "pi",
    access: ["native"],
    capabilities: {
      permissions: false,
      questions: false,
      offer: false,
      configure: false,
      tasks: false,
      steer: false,
      resume: true,
      history: true,
    },
  });
});
