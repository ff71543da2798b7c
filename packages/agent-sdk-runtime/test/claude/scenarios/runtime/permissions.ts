import { expect } from "vitest";
import { mcpServer } from "../live/extensions.ts";
import type { Scenario } from "../scenario.ts";
import { touch } from "../steps.ts";

const question = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Red", description: "Warm" },
    { label: "Blue", description: "Cold" },
  ],
};

export const permissions: readonly Scenario[] = [
  {
    title: "runs a tool that is allowed, once",
    async run(stage) {
      const talk = await stage.session();
      const turn = await talk.start(stage.prompt("Make it.", [[touch("made.txt")], "Made."]));
      const ask = await talk.asked();
      expect(ask).toMatchObject({ title: expect.stringContaining("Make a file") as string });
      expect(await talk.runtime.sessions.get(talk.sessionId)).toMatchObject({ status: "busy", asks: 1 });
      expect(stage.has("made.txt")).toBe(false);
      await talk.answer(ask, "allow");
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(stage.has("made.txt")).toBe(true);
      expect(await talk.rows("permission")).toMatchObject([
        { outcome: "allowed", by: "user", scope: "once" },
      ]);
      await expect(talk.answer(ask, "deny")).rejects.toMatchObject({ code: "ask-ended" });
    },
  },
  {
    title: "does not run a tool that is denied, and the model reads why",
    async run(stage) {
      const talk = await stage.session();
      const turn = await talk.start(stage.prompt("Make it.", [[touch("made.txt")], "Then not."]));
      const { sessionId } = talk;
      const { requestId } = await talk.asked();
      await talk.runtime.permissions.reject({ sessionId, requestId, message: "Not in this folder." });
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(stage.has("made.txt")).toBe(false);
      expect(await talk.rows("permission")).toMatchObject([{ outcome: "denied", by: "user" }]);
      const denied = { outcome: "denied", output: expect.stringContaining("Not in this folder.") as string };
      expect(await talk.rows("tool")).toMatchObject([denied]);
    },
  },
  {
    title: "does not ask again for what was allowed for the session",
    async run(stage) {
      const talk = await stage.session();
      const write = (name: string): { tool: string; input: object } => ({
        tool: "Write",
        input: { file_path: stage.path(name), content: name },
      });
      const steps = [[write("one.txt")], [write("two.txt")], "Written."];
      const turn = await talk.start(stage.prompt("Write.", steps as never));
      await talk.answer(await talk.asked(), "allow", "session");
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(await talk.all("permission.requested")).toHaveLength(1);
      expect([stage.read("one.txt"), stage.read("two.txt")]).toEqual(["one.txt", "two.txt"]);
    },
  },
  {
    title: "asks for two tools of one message one after the other",
    async run(stage) {
      const talk = await stage.session();
      const turn = await talk.start(
        stage.prompt("Make both.", [[touch("one.txt"), touch("two.txt")], "One of them."]),
      );
      const first = await talk.asked();
      await talk.answer(first, "deny");
      const second = await talk.asked(first.seq);
      await talk.answer(second, "allow");
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect([stage.has("one.txt"), stage.has("two.txt")]).toEqual([false, true]);
      expect((await talk.rows("tool")).map(({ outcome }) => outcome)).toEqual(["denied", "ok"]);
    },
  },
  {
    title: "refuses at once where nobody is there to be asked",
    async run(stage) {
      const talk = await stage.session({}, stage.runtime({}, { asks: "deny" }));
      const steps = [
        [touch("made.txt")],
        [{ tool: "AskUserQuestion", input: { questions: [question] } }],
        "Then not.",
      ];
      expect((await talk.run(stage.prompt("Make it.", steps))).outcome).toBe("completed");
      expect(stage.has("made.txt")).toBe(false);
      expect(await talk.rows("permission")).toMatchObject([{ outcome: "denied", by: "policy" }]);
      expect(await talk.rows("question")).toMatchObject([{ outcome: "rejected", by: "policy" }]);
    },
  },
  {
    title: "asks a question, and the model reads the answer",
    async run(stage) {
      const talk = await stage.session();
      const ask = [{ tool: "AskUserQuestion", input: { questions: [question] } }];
      const turn = await talk.start(stage.prompt("Ask.", [ask, "I see."]));
      const { requestId, questions } = await talk.event("question.requested");
      expect(questions).toMatchObject([
        { prompt: "Which colour?", multiple: false, options: [{ label: "Red" }, { label: "Blue" }] },
      ]);
      const { sessionId } = talk;
      await talk.runtime.questions.answer({ sessionId, requestId, answers: ["Blue"] });
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(await talk.rows("question")).toMatchObject([{ outcome: "answered", answers: ["Blue"] }]);
      const read = { outcome: "ok", output: expect.stringContaining("Blue") as string };
      expect(await talk.rows("tool")).toMatchObject([read]);
    },
  },
  {
    title: "goes on when a question is rejected",
    async run(stage) {
      const talk = await stage.session();
      const ask = [{ tool: "AskUserQuestion", input: { questions: [question] } }];
      const turn = await talk.start(stage.prompt("Ask.", [ask, "I will choose."]));
      const { requestId } = await talk.event("question.requested");
      const { sessionId } = talk;
      await talk.runtime.questions.reject({ sessionId, requestId, message: "Choose yourself." });
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(await talk.rows("question")).toMatchObject([{ outcome: "rejected", by: "user" }]);
      const read = { outcome: "denied", output: expect.stringContaining("Choose yourself.") as string };
      expect(await talk.rows("tool")).toMatchObject([read]);
    },
  },
  {
    title: "asks what an MCP server wants to know, field by field, and the server gets the values",
    async run(stage) {
      const survey = { ...mcpServer, args: [...mcpServer.args, "survey"] };
      const talk = await stage.session({}, stage.runtime({ mcpServers: { survey } }));
      const call = [{ tool: "mcp__survey__echo", input: { text: "" } }];
      const turn = await talk.start(stage.prompt("Ask.", [call, "I see."]));
      await talk.answer(await talk.asked(), "allow");
      const { requestId, questions } = await talk.event("question.requested");
      expect(questions).toEqual([
        {
          prompt: "What shall it be?\nColour",
          options: [{ label: "Red" }, { label: "Blue" }],
          multiple: false,
        },
        {
          prompt: "gift: Whether it is wrapped",
          options: [{ label: "true" }, { label: "false" }],
          multiple: false,
        },
        { prompt: "count", options: [], multiple: false },
        { prompt: "note (optional)", options: [], multiple: false },
      ]);
      const { sessionId } = talk;
      const { questions: asked } = talk.runtime;
      const unfit = asked.answer({ sessionId, requestId, answers: ["Green", "true", "3", []] });
      await expect(unfit).rejects.toMatchObject({ code: "invalid-input" });
      await asked.answer({ sessionId, requestId, answers: ["Blue", "true", "3", []] });
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(await talk.rows("question")).toMatchObject([
        { outcome: "answered", answers: ["b", "true", "3", ""] },
      ]);
      const content = '{"action":"accept","content":{"colour":"b","gift":true,"count":3}}';
      expect(await talk.rows("tool")).toMatchObject([{ outcome: "ok", output: content }]);
    },
  },
  {
    title: "leaves plan mode with a plan that is approved",
    async run(stage) {
      const talk = await stage.session({ mode: "plan" });
      const plan = [{ tool: "ExitPlanMode", input: { plan: "# One step" } }];
      const turn = await talk.start(stage.prompt("Plan.", [plan, [touch("made.txt")], "Done."]));
      const ask = await talk.asked();
      expect(await talk.rows("plan")).toMatchObject([
        { text: expect.stringContaining("One step") as string },
      ]);
      await talk.answer(ask, "allow");
      await talk.answer(await talk.asked(ask.seq), "allow");
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect((await talk.rows("tool")).map(({ outcome }) => outcome)).toEqual(["ok", "ok"]);
      expect((await talk.runtime.config.read(talk.sessionId)).mode).toBe("default");
    },
  },
  {
    title: "stays in plan mode with a plan that is refused",
    async run(stage) {
      const talk = await stage.session({ mode: "plan" });
      const plan = [{ tool: "ExitPlanMode", input: { plan: "# One step" } }];
      const turn = await talk.start(stage.prompt("Plan.", [plan, "I will think again."]));
      await talk.answer(await talk.asked(), "deny");
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect((await talk.rows("tool")).map(({ outcome }) => outcome)).toEqual(["denied"]);
      expect((await talk.runtime.config.read(talk.sessionId)).mode).toBe("plan");
    },
  },
];
