import { describe, expect, test } from "vitest";
import type { AgentRuntimeEvent } from "../../../src/index.ts";
import { rowsOf } from "../../projections/rows-of.ts";
import {
  answer,
  assistant,
  blockStart,
  blockStop,
  call,
  canUseTool,
  control,
  eventsOf,
  init,
  inputDelta,
  messageStart,
  only,
  played,
  prompt,
  result,
  says,
  stream,
  system,
  text,
  textDelta,
  toolResult,
} from "./said.ts";

const usage = (input: number, output: number): object => ({
  usage: {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
  },
});

/** What is left open when the last frame has come. */
function openAfter(steps: Parameters<typeof played>[0]): readonly string[] {
  return played(steps).snapshot.open.map(({ kind, id }) => `${kind} ${id}`);
}

function textOf(events: readonly AgentRuntimeEvent[]): readonly string[] {
  return rowsOf(events).flatMap((row) => (row.type === "text" ? [row.text] : []));
}

describe("cases of what broke for users", () => {
  test("B001 usage of a message is its last snapshot, however many frames repeat it", () => {
    const events = eventsOf([
      init(),
      assistant("msg_1", [{ type: "thinking", thinking: "hm", signature: "c2ln" }], {}, usage(10, 1)),
      assistant("msg_1", [text("Hi")], {}, usage(10, 1)),
      assistant("msg_1", [call("tu_1", "Bash", { command: "ls" })], {}, usage(10, 42)),
      toolResult("tu_1", "done"),
      assistant("msg_2", [text("Done")], {}, usage(60, 7)),
      result(usage(70, 49)),
    ]);
    const told = only(events, "usage.updated").map((event) => [
      event.messageId,
      event.usage.inputTokens,
      event.usage.outputTokens,
    ]);
    expect(told).toEqual([
      ["msg_1", 10, 1],
      ["msg_1", 10, 42],
      ["msg_2", 60, 7],
    ]);
    expect(only(events, "message.ended")).toMatchObject([
      { messageId: "msg_1", outcome: "completed", usage: { inputTokens: 10, outputTokens: 42 } },
      { messageId: "msg_2", outcome: "completed", usage: { inputTokens: 60, outputTokens: 7 } },
    ]);
    expect(only(events, "run.ended")).toMatchObject([{ usage: { inputTokens: 70, outputTokens: 49 } }]);
  });

  test("B001 the running total never goes down, not by a snapshot that comes late", () => {
    const events = eventsOf([
      init(),
      messageStart("msg_1"),
      stream({ type: "message_delta", delta: {}, ...usage(10, 42) }),
      assistant("msg_1", [text("Hi")], {}, usage(10, 1)),
    ]);
    expect(only(events, "usage.updated").map((event) => event.usage.outputTokens)).toEqual([42]);
  });

  test("B002 a message is known by its own id, not by those of the frames that carry it", () => {
    const steps = [
      init(),
      messageStart("msg_1", { uuid: "u9" }),
      blockStart(0, text(""), { uuid: "u10" }),
      textDelta(0, "Hel", { uuid: "u11" }),
      textDelta(0, "lo", { uuid: "u12" }),
      blockStop(0, { uuid: "u13" }),
      assistant("msg_1", [text("Hello")], { uuid: "u14" }),
      stream({ type: "message_stop" }, { uuid: "u15" }),
      result({ result: "Hello" }),
    ];
    const events = eventsOf(steps);
    expect(only(events, "message.started").map(({ messageId }) => messageId)).toEqual(["msg_1"]);
    expect(textOf(events)).toEqual(["Hello"]);
    expect(only(events, "part.ended")).toMatchObject([{ partId: "msg_1/0", text: "Hello" }]);
    expect(openAfter(steps)).toEqual([]);
  });

  test("B005 a subagent's blocks are its own, whatever their index", () => {
    const child = { parent_tool_use_id: "tu_T" };
    const events = eventsOf([
      init(),
      assistant("msg_1", [call("tu_T", "Task", { prompt: "p" })]),
      messageStart("msg_m"),
      blockStart(0, text("")),
      messageStart("msg_s", child),
      blockStart(0, call("tu_S", "Bash"), child),
      textDelta(0, "main "),
      inputDelta(0, '{"command":"ls"}', child),
      blockStop(0, child),
      textDelta(0, "text"),
      blockStop(0),
      result(),
    ]);
    const rows = rowsOf(events);
    const texts = rows.filter((row) => row.type === "text");
    expect(texts).toMatchObject([{ messageId: "msg_m", text: "main text", outcome: "completed" }]);
    expect(texts[0]).not.toHaveProperty("agent");
    const tools = rows.filter((row) => row.type === "tool");
    expect(tools).toMatchObject([
      { callId: "tu_T" },
      { callId: "tu_S", input: { command: "ls" }, agent: ["tu_T"] },
    ]);
    expect(tools[0]).not.toHaveProperty("agent");
    expect(only(events, "task.started")).toMatchObject([{ taskId: "tu_T", kind: "agent", callId: "tu_T" }]);
  });

  test("B009 a failure that calls itself a success is one, with its status and its words", () => {
    const events = eventsOf([
      init(),
      assistant("msg_1", [text("API Error: 403 denied")], { error: "oauth_org_not_allowed" }),
      result({
        is_error: true,
        result: "API Error: 403 denied",
        terminal_reason: "api_error",
        api_error_status: 403,
      }),
    ]);
    expect(only(events, "run.ended")).toMatchObject([
      {
        outcome: "failed",
        reason: "harness.api_error",
        error: { status: 403, message: "API Error: 403 denied" },
      },
    ]);
    expect(only(events, "message.started")).toMatchObject([{ synthetic: true }]);
    expect(only(events, "message.ended")).toMatchObject([
      { outcome: "failed", error: { code: "oauth_org_not_allowed" } },
    ]);
  });

  test("B011 fields that contradict each other are no success, and a result of nothing changes nothing", () => {
    const events = eventsOf([
      init(),
      result({ subtype: "error_during_execution", is_error: false, result: null, errors: [], uuid: "r1" }),
      result({ uuid: "r2" }),
    ]);
    expect(only(events, "run.ended")).toMatchObject([
      { outcome: "failed", error: { message: expect.stringMatching(/\S/) } },
    ]);
    expect(only(events, "run.started")).toHaveLength(1);
    expect(only(events, "diagnostic").map(({ code }) => code)).toEqual(["claude.stray-result"]);
  });

  test("B012 an interrupt of the user's own is no failure, and shows nothing of the CLI's insides", () => {
    const events = eventsOf([
      prompt("go"),
      init(),
      assistant("msg_1", [call("tu_1", "Bash", { command: "ls" })]),
      control("c1", { subtype: "interrupt" }),
      says({ type: "control_response", response: { subtype: "success", request_id: "c1" } }),
      result({
        subtype: "error_during_execution",
        is_error: true,
        result: null,
        errors: ["[ede_diagnostic] result_type=user stop_reason=tool_use"],
        stop_reason: "tool_use",
      }),
    ]);
    expect(only(events, "run.ended")).toMatchObject([
      { outcome: "cancelled", reason: "harness.interrupted" },
    ]);
    expect(only(events, "run.ended")[0]).not.toHaveProperty("error");
    expect(only(events, "tool.ended")).toMatchObject([{ callId: "tu_1", outcome: "cancelled" }]);
    expect(only(events, "input.ended")).toMatchObject([{ outcome: "cancelled" }]);
    expect(JSON.stringify(events)).not.toContain("ede_diagnostic");
  });

  test("B012 the marker is in no message of a failure either", () => {
    const events = eventsOf([
      init(),
      result({
        subtype: "error_during_execution",
        is_error: true,
        result: null,
        errors: ["[ede_diagnostic] x", "No conversation found"],
      }),
    ]);
    expect(only(events, "run.ended")).toMatchObject([
      { outcome: "failed", error: { message: "No conversation found" } },
    ]);
  });

  test("B013 the marker of an interrupt is no prompt, and the empty message ends as cancelled", () => {
    const marker = {
      type: "user",
      message: { role: "user", content: [text("[Request interrupted by user]")] },
      parent_tool_use_id: null,
    };
    const steps = [
      init(),
      messageStart("msg_1"),
      says(marker),
      result({ subtype: "error_during_execution", is_error: true, result: null, errors: ["x"] }),
    ];
    const events = eventsOf(steps);
    expect(rowsOf(events).filter((row) => row.type === "input")).toEqual([]);
    expect(only(events, "message.started")).toMatchObject([{ messageId: "msg_1", role: "assistant" }]);
    expect(only(events, "message.ended")).toMatchObject([{ messageId: "msg_1", outcome: "cancelled" }]);
    expect(only(events, "run.ended")).toMatchObject([{ outcome: "cancelled" }]);
  });

  test("B017 the empty result of background work does not end the turn that came after it", () => {
    const events = eventsOf([
      prompt("second question", { inputId: "in-2" }),
      init(),
      system("task_notification", {
        task_id: "bg1",
        status: "completed",
        summary: "done",
        tool_use_id: "tu_bg",
      }),
      result({ num_turns: 0, result: "" }),
      assistant("msg_9", [text("real answer")]),
      result({ result: "real answer" }),
    ]);
    expect(only(events, "run.ended")).toMatchObject([
      { runId: "r4", outcome: "completed" },
      { runId: "r2", outcome: "completed" },
    ]);
    expect(only(events, "run.started")).toMatchObject([
      { origin: "user" },
      { runId: "r4", origin: "harness" },
    ]);
    expect(only(events, "input.ended")).toMatchObject([
      { inputId: "in-2", outcome: "answered", runId: "r2" },
    ]);
    expect(events.findIndex((event) => event.type === "input.ended")).toBeGreaterThan(
      events.findIndex((event) => event.type === "part.ended"),
    );
    expect(only(events, "task.ended")).toMatchObject([
      { taskId: "bg1", outcome: "completed", summary: "done" },
    ]);
  });

  test("B019 a task that tells of its end twice is one task, with its last words", () => {
    const steps = [
      init(),
      system("task_started", { task_id: "bg1", tool_use_id: "tu_bg" }),
      system("task_notification", {
        task_id: "bg1",
        status: "completed",
        summary: "part",
        tool_use_id: "tu_bg",
      }),
      system("task_notification", {
        task_id: "bg1",
        status: "completed",
        summary: "whole",
        tool_use_id: "tu_bg",
      }),
      system("task_notification", { task_id: "ghost", status: "completed", tool_use_id: "tu_bg" }),
      { do: "finish", reason: "ended", at: 0 } as const,
    ];
    const events = eventsOf(steps);
    expect(rowsOf(events).filter((row) => row.type === "task")).toMatchObject([
      { taskId: "bg1", summary: "whole", outcome: "completed" },
    ]);
    expect(only(events, "task.started")).toHaveLength(1);
    expect(only(events, "task.ended")).toHaveLength(1);
    expect(only(events, "diagnostic").map(({ code }) => code)).toEqual(["claude.stray-frame"]);
  });

  test("B023 a history that holds a call twice is named as what the provider refuses", () => {
    const events = eventsOf([
      prompt("one"),
      init(),
      assistant("msg_1", [call("tu_1", "Bash", { command: "ls" })]),
      toolResult("tu_1", "done"),
      result({ total_cost_usd: 0.01 }),
      prompt("two"),
      result({
        is_error: true,
        result: "API Error: 400 tool_use ids must be unique",
        total_cost_usd: 0.01,
        api_error_status: 400,
      }),
    ]);
    expect(only(events, "run.ended")).toMatchObject([
      { outcome: "completed" },
      {
        outcome: "failed",
        error: {
          code: "history-rejected",
          message: "API Error: 400 tool_use ids must be unique",
          status: 400,
        },
      },
    ]);
  });

  test("B030 a malformed session id is told, and never taken", () => {
    const named = (id: unknown) => init({ session_id: id });
    const events = eventsOf([
      named("S1"),
      named("S1"),
      named("S1\nS1"),
      named(12),
      named(undefined),
      named("-rf"),
      named("S".repeat(200)),
    ]);
    expect(only(events, "harness.updated")).toMatchObject([{ nativeSessionId: "S1" }]);
    expect(only(events, "diagnostic")).toMatchObject([{ code: "claude.malformed-session-id" }]);
    const { snapshot } = played([named("S1"), named("S1\nS1")]);
    expect(snapshot.state).toMatchObject({ facts: { nativeSessionId: "S1" } });
    expect(snapshot.diagnostics).toEqual([["claude.malformed-session-id", 1]]);
  });

  test("B063 a permission is shown although nothing told of its call before", () => {
    const events = eventsOf([
      init(),
      canUseTool("r1", { tool_name: "Write", input: { file_path: "/w/a" }, tool_use_id: "tu_new" }),
    ]);
    expect(only(events, "tool.started")).toMatchObject([
      { callId: "tu_new", name: "Write", kind: "edit", locations: [{ path: "/w/a" }] },
    ]);
    expect(only(events, "permission.requested")).toMatchObject([
      { requestId: "q2", callId: "tu_new", native: { requestId: "r1" } },
    ]);
  });

  test("B087 what a failed attempt left counts for nothing when the model call is made again", () => {
    const steps = [
      init(),
      messageStart("msg_a"),
      blockStart(0, text("")),
      textDelta(0, "Par"),
      blockStart(1, call("tu_dead", "Bash")),
      inputDelta(1, '{"comm'),
      system("api_retry", { attempt: 1, max_retries: 10 }),
      messageStart("msg_b"),
      blockStart(0, text("")),
      textDelta(0, "Partial done"),
      assistant("msg_b", [text("Partial done")]),
      result({ result: "Partial done" }),
    ];
    const events = eventsOf(steps);
    expect(only(events, "message.ended")).toMatchObject([
      { messageId: "msg_a", outcome: "superseded" },
      { messageId: "msg_b", outcome: "completed" },
    ]);
    expect(only(events, "tool.ended")).toMatchObject([{ callId: "tu_dead", outcome: "abandoned" }]);
    const texts = rowsOf(events).filter((row) => row.type === "text");
    expect(texts).toMatchObject([
      { text: "Par", outcome: "superseded" },
      { text: "Partial done", outcome: "completed" },
    ]);
    expect(openAfter(steps)).toEqual([]);
  });

  test("B087 the failed attempt is over when the retry is announced, not when it succeeds", () => {
    const events = eventsOf([
      init(),
      messageStart("msg_a"),
      textDelta(0, "Par"),
      system("api_retry", { attempt: 1 }),
    ]);
    expect(events.slice(-2)).toMatchObject([
      { type: "message.ended", outcome: "superseded" },
      { type: "retry.scheduled" },
    ]);
  });

  test("B087 the same without a word about the retry", () => {
    const events = eventsOf([
      init(),
      messageStart("msg_a"),
      blockStart(0, text("")),
      textDelta(0, "Par"),
      blockStart(1, call("tu_dead", "Bash")),
      messageStart("msg_b"),
    ]);
    expect(only(events, "message.ended")).toMatchObject([{ messageId: "msg_a", outcome: "superseded" }]);
    expect(only(events, "tool.ended")).toMatchObject([{ callId: "tu_dead", outcome: "abandoned" }]);
  });

  test("B104 tools that are open when a run ends are closed with it", () => {
    const steps = [init(), assistant("msg_1", [call("tu_q", "AskUserQuestion")]), result()];
    expect(only(eventsOf(steps), "tool.ended")).toMatchObject([{ callId: "tu_q", outcome: "abandoned" }]);
    expect(openAfter(steps)).toEqual([]);
  });

  test("B144 control characters stay in events as they came", () => {
    const said = "ok\u001b]52;c;cHdu\u0007 \u202e \u009b31m";
    const events = eventsOf([
      init(),
      assistant("msg_1", [text(said)]),
      says({ type: "\u001b[31mweird" }),
      result(),
    ]);
    expect(only(events, "part.ended")).toMatchObject([{ text: said }]);
    expect(only(events, "diagnostic")).toMatchObject([{ code: "frame.unknown" }]);
  });

  test("B145 markup stays the text that it is, in answers and in calls", () => {
    const said = "<img src=x onerror=alert(1)> [a](javascript:alert(1)) <svg/onload=alert(1)>";
    const input = { command: "<script>alert(1)</script>", description: '"><img src=x onerror=alert(1)>' };
    const events = eventsOf([
      init(),
      assistant("msg_1", [text(said)]),
      assistant("msg_2", [call("tu_1", "Bash", input)]),
      result(),
    ]);
    expect(textOf(events)).toEqual([said]);
    expect(only(events, "tool.started")).toMatchObject([{ input, title: input.command }]);
  });

  test("a late answer to a permission is told, and changes nothing", () => {
    const events = eventsOf([
      init(),
      canUseTool("r1", { tool_name: "Bash", input: { command: "x" }, tool_use_id: "tu_1" }),
      answer("r1", { behavior: "allow" }),
      answer("r1", { behavior: "deny" }),
    ]);
    expect(only(events, "permission.ended")).toMatchObject([{ outcome: "allowed" }]);
    expect(only(events, "diagnostic")).toMatchObject([{ code: "claude.stray-frame" }]);
  });
});
