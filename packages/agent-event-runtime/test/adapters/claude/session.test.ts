import { describe, expect, test } from "vitest";
import { type EventType, type Json, claudeAdapter } from "../../../src/index.ts";
import { play } from "../../../src/testing/index.ts";
import { recording } from "./recordings.ts";
import { control, eventsOf, init, ofCase, only, played, prompt, result, says, send, system } from "./said.ts";

describe("the session of claude", () => {
  test("is told once, then by what changes", () => {
    const events = eventsOf([
      init({ slash_commands: ["a", "b"] }),
      result(),
      init({ slash_commands: ["a", "b"] }),
      result(),
      init({ model: "m-2", slash_commands: ["a"] }),
    ]);
    expect(
      only(events, "session.updated").map(({ model, mode, cwd, commands }) => [model, mode, cwd, commands]),
    ).toEqual([
      ["m-1", "default", "/w", ["a", "b"]],
      ["m-2", undefined, undefined, ["a"]],
    ]);
  });

  test("changes its mode and its model as the CLI says", () => {
    const modes = (name: string): readonly unknown[] =>
      only(ofCase(name), "session.updated").flatMap(({ mode }) => mode ?? []);
    expect(modes("d-suggestions")).toEqual(["default", "acceptEdits"]);
    expect(modes("e-plan-file")).toEqual(["plan", "default"]);
    expect(modes("sdk-demo")).toEqual(["default", "acceptEdits"]);
    expect(only(ofCase("sdk-demo"), "session.updated").flatMap(({ model }) => model ?? [])).toEqual([
      "claude-opus-5-5",
      "claude-haiku-4-5",
    ]);
    expect(only(ofCase("j-fallback-model"), "session.updated").at(-1)).toMatchObject({
      model: "claude-haiku-4-5",
    });
    expect(only(ofCase("j-fallback-model"), "notice.added")).toMatchObject([{ level: "warning" }]);
  });

  test("has what an answer says, else what was asked for", () => {
    const ok = says({ type: "control_response", response: { subtype: "success", request_id: "c1" } });
    expect(
      only(eventsOf([control("c1", { subtype: "set_model", model: "m-9" }), ok]), "session.updated"),
    ).toMatchObject([{ model: "m-9" }]);
    expect(
      only(
        eventsOf([control("c1", { subtype: "set_permission_mode", mode: "plan" }), ok]),
        "session.updated",
      ),
    ).toMatchObject([{ mode: "plan" }]);
    expect(only(eventsOf([control("c1", { subtype: "set_model" }), ok]), "session.updated")).toEqual([]);
  });

  test("is named by the first frame that knows it, and renamed by init alone", () => {
    const name = (id: string) => says({ type: "keep_alive", session_id: id });
    expect(
      only(
        eventsOf([
          name("S1"),
          name("S2"),
          init({ session_id: "S1" }),
          name("S3"),
          init({ session_id: "S4" }),
        ]),
        "harness.updated",
      ),
    ).toMatchObject([{ nativeSessionId: "S1" }, { nativeSessionId: "S4" }]);
    expect(only(ofCase("n-slash-text"), "harness.updated")).toHaveLength(2);
    expect(eventsOf([name("no id")])).toEqual([]);
  });

  test("has the title that it is given, or that it asked for to be kept", () => {
    expect(only(ofCase("l-title"), "session.updated").flatMap(({ title }) => title ?? [])).toEqual([
      "mock",
      "Renamed",
    ]);
    const titled = says({
      type: "control_response",
      response: { subtype: "success", request_id: "c1", response: { title: "T" } },
    });
    const title = (persist: boolean) =>
      eventsOf([control("c1", { subtype: "generate_session_title", persist }), titled]);
    expect(only(title(true), "session.updated")).toMatchObject([{ title: "T" }]);
    expect(only(title(false), "session.updated")).toEqual([]);
  });

  test("has an empty list of things to do after /clear, when it had one", () => {
    expect(only(ofCase("c-task-list"), "todo.updated").at(-1)?.items).toEqual([]);
    expect(only(ofCase("n-slash-text"), "todo.updated")).toEqual([]);
  });

  test("tells its MCP servers when they change", () => {
    const broken = only(ofCase("m-mcp-broken"), "mcp.updated");
    expect(broken).toMatchObject([
      { server: "broken", status: "failed" },
      { server: "broken", status: "failed", message: expect.stringContaining("ENOENT") },
    ]);
    expect(broken[0]).not.toHaveProperty("message");
    const server = (status: string) =>
      init({ mcp_servers: [{ name: "__proto__", status }, { name: "x", status: "new" }, null] });
    const events = eventsOf([
      server("pending"),
      server("pending"),
      server("connected"),
      server("needs-auth"),
      server("disabled"),
    ]);
    expect(only(events, "mcp.updated").map(({ status }) => status)).toEqual([
      "connecting",
      "connected",
      "failed",
      "disabled",
    ]);
    expect(only(events, "mcp.updated")[2]).toMatchObject({ message: "It needs a login." });
  });

  test("tells the limits of its subscription, in milliseconds", () => {
    expect(only(ofCase("t-rate-limit-oauth"), "ratelimit.updated")).toMatchObject([
      { status: "warning", resetsAt: 1796058182000 },
      { status: "rejected", resetsAt: 1796058182000 },
    ]);
    expect(
      eventsOf([says({ type: "rate_limit_event", rate_limit_info: { status: "allowed" } })]).at(-1),
    ).toMatchObject({ status: "ok" });
  });

  test("tells its login", () => {
    const auth = (more: object) => only(eventsOf([says({ type: "auth_status", ...more })]), "auth.updated");
    expect(auth({ isAuthenticating: true })).toMatchObject([{ status: "required" }]);
    expect(auth({ isAuthenticating: false })).toMatchObject([{ status: "ok" }]);
    expect(auth({ error: "expired" })).toMatchObject([{ status: "failed", message: "expired" }]);
  });

  test("has a notice of what the CLI informs about, and of hooks that fail", () => {
    expect(only(ofCase("j-refusal"), "notice.added")).toMatchObject([{ level: "info" }]);
    expect(only(ofCase("l-hook-events"), "notice.added")).toEqual([]);
    const failed = system("hook_response", { hook_name: "Stop", exit_code: 2, stderr: "no\n" });
    expect(only(eventsOf([failed]), "notice.added")).toMatchObject([
      { level: "warning", text: "Stop ended with code 2: no" },
    ]);
    expect(only(ofCase("l-hook-blocks"), "notice.added")).toMatchObject([
      { level: "warning", text: "PreToolUse:Bash ended with code 2: blocked-by-hook" },
      { level: "warning", text: "Stop ended with code 1" },
      { level: "info", text: expect.stringContaining("stop hook problem") },
    ]);
    expect(
      only(
        eventsOf([system("informational", { level: "error", content: " x " }), system("informational")]),
        "notice.added",
      ),
    ).toMatchObject([{ level: "error", text: "x" }]);
  });
});

describe("frames of claude", () => {
  test("that say nothing are known", () => {
    const silent = [
      ...[
        "conversation_reset",
        "keep_alive",
        "prompt_suggestion",
        "tool_progress",
        "tool_use_summary",
        "transcript_mirror",
      ].map((type) => says({ type })),
      ...[
        "hook_started",
        "hook_progress",
        "session_state_changed",
        "thinking_tokens",
        "control_request_progress",
        "elicitation_complete",
        "files_persisted",
        "ui_invalidate",
      ].map((subtype) => system(subtype)),
      ...["keep_alive", "control_cancel_request", "update_environment_variables"].map((type) =>
        send({ type }),
      ),
    ];
    const start = played([init()]).snapshot;
    for (const step of silent) expect(eventsOf([step], start)).toEqual([]);
  });

  test("that are new are told as unknown", () => {
    const start = played([init()]).snapshot;
    const unknown = [
      says({ type: "hologram" }),
      system("hologram"),
      says({ type: "command_lifecycle", command_uuid: "u", state: "paused" }),
    ];
    for (const step of unknown)
      expect(eventsOf([step], start)).toMatchObject([{ type: "diagnostic", code: "frame.unknown" }]);
    const aside = {
      do: "frame",
      frame: { dir: "received", channel: "aside", payload: { type: "user" }, at: 0 },
    } as const;
    expect(eventsOf([aside])).toMatchObject([{ code: "frame.unknown" }]);
  });

  test("that make no sense are told as stray", () => {
    const stray = [
      says({ type: "assistant" }),
      says({ type: "user" }),
      says({ type: "user", message: { content: [] } }),
      says({}),
      says({ type: "command_lifecycle", state: "queued" }),
    ];
    for (const step of stray)
      expect(only(eventsOf([step]), "diagnostic")).toMatchObject([{ code: "claude.stray-frame" }]);
  });

  test("of the recordings are all known", () => {
    const codes = new Set<string>();
    for (const name of [
      "sdk-demo",
      "n-slash-text",
      "r-compact",
      "h-bg-bash-race",
      "h-two-bg",
      "l-hook-events",
    ]) {
      for (const { code } of only(ofCase(name), "diagnostic")) codes.add(code);
    }
    expect([...codes]).toEqual([]);
  });

  test("bring about events of every type that this dialect has a word for", () => {
    const never: readonly EventType[] = [
      "session.status",
      "session.deleted",
      "recovery.started",
      "recovery.ended",
      "harness.started",
      "harness.ended",
      "turn.queued",
      "turn.started",
      "turn.ended",
      "tool.output.delta",
      "auth.updated",
    ];
    const types = new Set<string>();
    for (const name of [
      "2.1.332-sdk-demo",
      "2.1.332-h-bg-agent-asks",
      "2.1.332-h-interrupt-with-bg-agent",
      "2.1.332-e-ask-user",
      "2.1.332-e-plan-deny",
      "2.1.332-c-files",
      "2.1.332-c-todowrite",
      "2.1.332-j-429-retry",
      "2.1.332-r-compact",
      "2.1.332-m-mcp-content",
      "2.1.332-t-rate-limit-oauth",
      "2.1.332-p-garbage-array",
    ]) {
      for (const event of play(claudeAdapter, recording(name).steps).events) types.add(event.type);
    }
    expect(never.filter((type) => types.has(type))).toEqual([]);
    expect(types.size + never.length).toBe(46);
  });
});

describe("the stored state of claude", () => {
  const names = [
    "sdk-demo",
    "h-bg-agent-asks",
    "i-fg-agent-interrupt",
    "j-401",
    "r-compact",
    "c-task-list",
    "m-mcp-broken",
    "history-in-tool",
  ];
  const states = names.flatMap((name) => {
    const { steps } = recording(`2.1.332-${name}`);
    return steps.map((_, index) => played(steps.slice(0, index + 1)).snapshot.state);
  });

  test("is read back as it was written", () => {
    for (const state of states) {
      expect(claudeAdapter.parseState(JSON.parse(JSON.stringify(state)) as Json, 2)).toEqual(state);
    }
  });

  test("is not read when anything of it is missing, of another kind, or of another version", () => {
    const bySize = states.toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length);
    const having = (key: string): Json =>
      bySize.find((state) => JSON.stringify((state as { [key: string]: Json })[key]).length > 4) ?? null;
    const handedOver = played([prompt("all", { parts: [{ type: "text", text: "own" }] })]).snapshot.state;
    const kept = ["history", "mcp", "todos", "compaction"].map(having);
    for (const full of [bySize[0] ?? null, handedOver, ...kept]) {
      expect(claudeAdapter.parseState(full, 2)).toEqual(full);
      expect(claudeAdapter.parseState(full, 1)).toBeUndefined();
      for (const broken of spoilt(full)) expect(claudeAdapter.parseState(broken, 2)).toBeUndefined();
    }
  });
});

/** The value with each of its members, at any depth, put in turn to what it cannot be. */
function spoilt(value: Json): readonly Json[] {
  if (typeof value !== "object" || value === null) return [];
  if (isList(value)) {
    return value.flatMap((item, index) => [
      ...spoilt(item).map((bad) => value.with(index, bad)),
      value.with(index, { not: "this" }),
    ]);
  }
  return Object.entries(value).flatMap(([key, item]) => [
    ...spoilt(item ?? null).map((bad) => ({ ...value, [key]: bad })),
    { ...value, [key]: { not: "this" } },
    ...(OPTIONAL.has(key)
      ? []
      : [Object.fromEntries(Object.entries(value).filter(([other]) => other !== key))]),
  ]);
}

/** What a state may lack: counts, what an error need not say, and what few inputs are. */
const OPTIONAL: ReadonlySet<string> = new Set([
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
  "code",
  "status",
  "holdsMore",
]);

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
