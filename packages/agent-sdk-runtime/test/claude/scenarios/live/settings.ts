import { expect } from "vitest";
import { field } from "../../../../src/live/messages.ts";
import type { Scenario } from "../scenario.ts";
import { allowed } from "../stage.ts";
import { delegate } from "../steps.ts";

export const settings: readonly Scenario[] = [
  {
    title: "changes the model for the next call",
    async run(stage) {
      const talk = await stage.live();
      await talk.session.sendAndAwait(stage.prompt("Hello.", ["Hello."]));
      await talk.session.setModel("haiku");
      await talk.session.sendAndAwait(stage.prompt("And now?", ["Now."]));
      expect(talk.session.state.model).toMatch(/haiku/u);
      const used = talk.received.filter(({ type }) => type === "assistant").at(-1);
      expect(field(used?.["message"], "model")).toMatch(/haiku/u);
    },
  },
  {
    title: "changes the permission mode, and asks less",
    async run(stage) {
      const talk = await stage.live({ canUseTool: "manual" });
      await talk.session.setPermissionMode("acceptEdits");
      const write = { tool: "Write", input: { file_path: stage.path("made.txt"), content: "made" } };
      await talk.session.sendAndAwait(stage.prompt("Write it.", [[write], "Written."]));
      expect(stage.read("made.txt")).toBe("made");
      expect(talk.session.state.permissionMode).toBe("acceptEdits");
      stage.expected.push("claude.request-refused");
      await expect(talk.session.setPermissionMode("no-such-mode")).rejects.toMatchObject({
        fault: { kind: "refused", request: "set_permission_mode" },
      });
    },
  },
  {
    title: "runs slash commands, and tells what fills the context",
    async run(stage) {
      const { session } = await stage.live();
      await session.sendAndAwait(stage.prompt("Hello.", ["Hello."]));
      await session.command("/context");
      const told = await session.awaitResultAfter(1);
      expect([told["num_turns"], told.is_error]).toEqual([0, false]);
      expect(field(await session.contextUsage(), "totalTokens")).toBeGreaterThan(0);
    },
  },
  {
    title: "is another session after /clear, and that is the one to go on with",
    async run(stage) {
      const talk = await stage.live();
      await talk.session.sendAndAwait(stage.prompt("Once.", ["It was once."]));
      const before = await talk.sessionId();
      await talk.session.command("/clear");
      await talk.session.awaitResultAfter(1);
      await talk.session.sendAndAwait(stage.prompt("Anew.", ["Begun anew."]));
      const after = await talk.sessionId();
      await talk.close();
      expect(after).not.toBe(before);
      const next = await stage.live({ resume: after });
      await next.session.sendAndAwait(stage.prompt("On.", ["On it goes."]));
      expect(await next.sessionId()).toBe(after);
      const asked = JSON.stringify(stage.asked?.at(-1) ?? "Begun anew.");
      expect([asked.includes("It was once."), asked.includes("Begun anew.")]).toEqual([false, true]);
    },
  },
  {
    title: "shortens its context on /compact, and goes on",
    async run(stage) {
      const talk = await stage.live();
      await talk.session.sendAndAwait(stage.prompt("Once.", ["It was once."]));
      await talk.session.command("/compact");
      await talk.session.awaitResultAfter(1);
      expect(talk.received.some((message) => message["subtype"] === "compact_boundary")).toBe(true);
      const { result } = await talk.session.sendAndAwait(stage.prompt("And on.", ["On it goes."]));
      expect(result).toBe("On it goes.");
    },
  },
  {
    title: "keeps an archive of the transcript, subagents and stored results included",
    realOnly: "The scripted CLI keeps no files of subagents and of large results.",
    async run(stage) {
      const directory = stage.path("archive");
      const talk = await stage.live({ canUseTool: allowed, archive: { directory } });
      const agent = delegate(stage.prompt("Do it.", ["It is done."]), "waits");
      const big = { command: "head -c 100000 /dev/zero | tr '\\\\0' x", description: "Print a lot" };
      const steps = [[agent], [{ tool: "Bash", input: big }], "All done."];
      await talk.session.sendAndAwait(stage.prompt("Begin.", steps));
      await talk.close();
      expect(stage.tree(directory)).toEqual(stage.tree(stage.projectFolder));
      const names = stage.tree(directory).map(([name]) => name);
      for (const kind of [/\.jsonl$/u, /\/subagents\//u, /\/tool-results\//u])
        expect(names).toContainEqual(expect.stringMatching(kind));
    },
  },
];
