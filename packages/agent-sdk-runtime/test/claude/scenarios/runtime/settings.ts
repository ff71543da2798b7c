import { expect } from "vitest";
import { mcpServer } from "../live/extensions.ts";
import type { Scenario } from "../scenario.ts";

export const settings: readonly Scenario[] = [
  {
    title: "tells what there is to choose, before and while it runs",
    async run(stage) {
      const talk = await stage.session();
      const { runtime, sessionId } = talk;
      expect((await runtime.models.list(sessionId)).map(({ id }) => id)).toContain("haiku");
      await talk.run(stage.prompt("Hello.", ["Hello."]));
      expect((await runtime.commands.list(sessionId)).map(({ id }) => id)).toContain("compact");
      expect((await runtime.config.read(sessionId)).modes.map(({ id }) => id)).toContain("acceptEdits");
    },
  },
  {
    title: "changes model and mode while it is up, and keeps them for the next process",
    async run(stage) {
      const talk = await stage.session();
      const { runtime, sessionId } = talk;
      await talk.run(stage.prompt("Hello.", ["Hello."]));
      await runtime.config.update(sessionId, { model: "haiku", mode: "acceptEdits" });
      const write = { tool: "Write", input: { file_path: stage.path("made.txt"), content: "made" } };
      expect((await talk.run(stage.prompt("Write.", [[write], "Written."]))).outcome).toBe("completed");
      expect([await talk.all("permission.requested"), stage.read("made.txt")]).toEqual([[], "made"]);
      expect((await talk.all("message.ended")).at(-1)?.model).toMatch(/haiku/u);
      await runtime.close();
      const next = stage.runtime();
      expect(await next.config.read(sessionId)).toMatchObject({
        model: expect.stringContaining("haiku") as string,
        mode: "acceptEdits",
      });
    },
  },
  {
    title: "takes each mode that it tells; `manual`, which it does not, is the default",
    async run(stage) {
      const talk = await stage.session({ mode: "manual" });
      const { runtime, sessionId } = talk;
      await talk.run(stage.prompt("Hello.", ["Hello."]));
      const { mode, modes } = await runtime.config.read(sessionId);
      expect([mode, modes.filter(({ id }) => id === "manual")]).toEqual(["default", []]);
      // The CLI takes it at its start alone.
      for (const { id } of modes.filter((each) => each.id !== "bypassPermissions")) {
        await runtime.config.update(sessionId, { mode: id });
        expect((await runtime.config.read(sessionId)).mode).toBe(id);
      }
    },
  },
  {
    title: "refuses a mode that there is not, and changes nothing",
    async run(stage) {
      const talk = await stage.session();
      const { runtime, sessionId } = talk;
      await talk.run(stage.prompt("Hello.", ["Hello."]));
      stage.expected.push("claude.request-refused");
      await expect(runtime.config.update(sessionId, { mode: "no-such-mode" })).rejects.toMatchObject({
        code: "invalid-input",
      });
      expect((await runtime.config.read(sessionId)).mode).not.toBe("no-such-mode");
      expect((await talk.run(stage.prompt("Still?", ["Still."]))).outcome).toBe("completed");
    },
  },
  {
    title: "runs slash commands as turns that need no model",
    async run(stage) {
      const talk = await stage.session();
      const { runtime, sessionId } = talk;
      await talk.run(stage.prompt("Hello.", ["Hello."]));
      const turn = await runtime.commands.run({ sessionId, command: "/context" });
      expect(await talk.settled(turn)).toMatchObject({ outcome: "completed" });
      expect((await talk.rows("input")).at(-1)).toMatchObject({ status: "handled" });
      expect((await talk.run(stage.prompt("/context is a word here.", ["It is."]))).outcome).toBe(
        "completed",
      );
      expect((await talk.said()).at(-1)).toBe("It is.");
    },
  },
  {
    title: "shortens its context on /compact",
    async run(stage) {
      const talk = await stage.session();
      const { runtime, sessionId } = talk;
      await talk.run(stage.prompt("Once.", ["It was once."]));
      const turn = await runtime.commands.run({ sessionId, command: "/compact" });
      expect(await talk.settled(turn)).toMatchObject({ outcome: "completed" });
      expect(await talk.all("compaction.ended")).toMatchObject([{ outcome: "completed" }]);
      expect((await talk.run(stage.prompt("And on.", ["On it goes."]))).outcome).toBe("completed");
    },
  },
  {
    title: "follows the session that /clear begins, also into the next process",
    async run(stage) {
      const talk = await stage.session();
      const { runtime, sessionId } = talk;
      await talk.run(stage.prompt("Once.", ["It was once."]));
      const before = (await talk.event("harness.started")).nativeSessionId;
      await talk.settled(await runtime.commands.run({ sessionId, command: "/clear" }));
      await talk.run(stage.prompt("Anew.", ["Begun anew."]));
      const after = (await talk.event("harness.updated", (event) => event.nativeSessionId !== before))
        .nativeSessionId;
      await runtime.close();
      const next = stage.again(talk);
      expect((await next.run(stage.prompt("On.", ["On it goes."]))).outcome).toBe("completed");
      const last = (await next.all("harness.started")).at(-1);
      expect(last).toMatchObject({ nativeSessionId: after, resumed: true });
      const asked = JSON.stringify(stage.asked?.at(-1) ?? "Begun anew.");
      expect([asked.includes("It was once."), asked.includes("Begun anew.")]).toEqual([false, true]);
    },
  },
  {
    title: "asks before a tool of an MCP server, and tells how the server is",
    async run(stage) {
      const talk = await stage.session({}, stage.runtime({ mcpServers: { echo: mcpServer } }));
      const call = { tool: "mcp__echo__echo", input: { text: "hello" } };
      const turn = await talk.start(stage.prompt("Echo.", [[call], "Echoed."]));
      await talk.answer(await talk.asked(), "allow");
      expect((await talk.settled(turn)).outcome).toBe("completed");
      expect(await talk.rows("tool")).toMatchObject([
        { toolKind: "mcp", outcome: "ok", output: expect.stringContaining("Echo: hello") as string },
      ]);
      expect(await talk.event("mcp.updated", ({ status }) => status === "connected")).toMatchObject({
        server: "echo",
      });
      const servers = await talk.runtime.mcp.list(talk.sessionId);
      expect(servers).toEqual([{ server: "echo", status: "connected" }]);
    },
  },
];
