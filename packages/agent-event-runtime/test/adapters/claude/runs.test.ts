import { describe, expect, test } from "vitest";
import {
  assistant,
  call,
  control,
  eventsOf,
  fate,
  init,
  messageStart,
  ofCase,
  only,
  played,
  prompt,
  result,
  says,
  stream,
  system,
  text,
  textDelta,
} from "./said.ts";

const model = (input: number, output: number, costUSD: number): object => ({
  "m-1": {
    inputTokens: input,
    outputTokens: output,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    costUSD,
  },
});

describe("runs of claude", () => {
  test.each([
    ["success", {}, "completed", "harness.success"],
    ["a success that says so twice", { terminal_reason: "completed" }, "completed", "harness.completed"],
    [
      "a success that is an error",
      { is_error: true, terminal_reason: "api_error" },
      "failed",
      "harness.api_error",
    ],
    [
      "a success that was cut short",
      { terminal_reason: "aborted_streaming" },
      "cancelled",
      "harness.aborted_streaming",
    ],
    [
      "an error without a flag",
      { subtype: "error_during_execution" },
      "failed",
      "harness.error_during_execution",
    ],
    [
      "a limit",
      { subtype: "error_max_turns", is_error: true, terminal_reason: "max_turns" },
      "failed",
      "harness.max_turns",
    ],
    ["a reason that is new", { terminal_reason: "hook_stopped" }, "failed", "harness.hook_stopped"],
    ["no subtype", { subtype: null }, "failed", "harness.unknown"],
    ["a reason that is no word", { terminal_reason: "a b\nc" }, "failed", "harness.unknown"],
  ])("%s", (_, said, outcome, reason) => {
    const [ended] = only(eventsOf([init(), result(said)]), "run.ended");
    expect(ended).toMatchObject({ outcome, reason });
    expect(ended?.error === undefined).toBe(outcome !== "failed");
    expect(ended?.error?.message).not.toBe("");
  });

  test("tell an error in the CLI's own words, with the provider's status", () => {
    expect(only(ofCase("j-401"), "run.ended")[0]).toMatchObject({
      outcome: "failed",
      error: { message: "Invalid API key · Fix external API key", status: 401, code: "authentication_error" },
    });
    expect(only(ofCase("t-max-turns"), "run.ended")[0]).toMatchObject({
      error: { message: "Reached maximum number of turns (1)" },
    });
  });

  test("an interrupt cancels what the CLI then calls an error, and not what it calls done", () => {
    const interrupted = [init(), control("c1", { subtype: "interrupt" })];
    const failed = { subtype: "error_during_execution", is_error: true };
    expect(only(eventsOf([...interrupted, result(failed)]), "run.ended")).toMatchObject([
      { outcome: "cancelled" },
    ]);
    expect(only(eventsOf([...interrupted, result()]), "run.ended")).toMatchObject([{ outcome: "completed" }]);
    expect(
      only(eventsOf([...interrupted, result({ ...failed, terminal_reason: "api_error" })]), "run.ended"),
    ).toMatchObject([{ outcome: "failed" }]);
    expect(only(eventsOf([init(), result(failed)]), "run.ended")).toMatchObject([{ outcome: "failed" }]);
  });

  test("an interrupt holds for its run alone", () => {
    const failed = result({ subtype: "error_during_execution", is_error: true });
    const before = [control("c1", { subtype: "interrupt" }), init(), failed];
    expect(only(eventsOf(before), "run.ended")).toMatchObject([{ outcome: "failed" }]);
    const after = [init(), control("c1", { subtype: "interrupt" }), failed, init(), failed];
    expect(only(eventsOf(after), "run.ended").map(({ outcome }) => outcome)).toEqual(["cancelled", "failed"]);
  });

  test("usage and cost are of the run alone, also when the CLI counts on over a resume", () => {
    for (const name of ["k-resume", "n-slash-text", "history-coalesced"]) {
      const spent = only(ofCase(name), "run.ended").map(({ costUsd, usage }) => [
        costUsd,
        usage?.inputTokens,
      ]);
      for (const [cost, input] of spent) {
        expect([
          [0.00014, 10],
          [0.00028, 20],
          [0, undefined],
        ]).toContainEqual([cost, input]);
      }
    }
  });

  test("usage and cost are differences where the CLI only tells sums", () => {
    const totals = [
      result({ total_cost_usd: 0.01, modelUsage: model(10, 5, 0.01) }),
      init(),
      result({ total_cost_usd: 0.03, modelUsage: model(30, 9, 0.03) }),
      init(),
      result({ total_cost_usd: 0.005, modelUsage: model(7, 2, 0.005) }),
    ];
    const ended = only(eventsOf([init(), ...totals]), "run.ended");
    expect(ended.map(({ costUsd }) => costUsd)).toEqual([0.01, 0.02, 0.005]);
    expect(ended.map(({ usage }) => [usage?.inputTokens, usage?.outputTokens])).toEqual([
      [10, 5],
      [20, 4],
      [7, 2],
    ]);
  });

  test("zeros stand for a model that was not called", () => {
    const zeros = { usage: { input_tokens: 0, output_tokens: 0 }, total_cost_usd: 0 };
    const [ended] = only(eventsOf([init(), result(zeros)]), "run.ended");
    expect(ended).not.toHaveProperty("usage");
    expect(ended).toMatchObject({ costUsd: 0 });
    expect(only(eventsOf([init(), result()]), "run.ended")[0]).not.toHaveProperty("costUsd");
  });

  test("what an aborted run spent is in the CLI's own count", () => {
    const [aborted] = only(ofCase("f-interrupt-text"), "run.ended");
    expect(aborted).toMatchObject({
      outcome: "cancelled",
      usage: { inputTokens: 10, outputTokens: 16 },
      costUsd: 0.00036,
    });
  });

  test("of background work are the harness's own, and take up no input", () => {
    for (const [name, origins] of [
      ["h-background-tasks", "uh"],
      ["h-bg-bash-busy", "uuh"],
      ["h-bg-bash-midtool", "uu"],
      ["h-two-bg", "uhh"],
      ["h-bg-bash-race", "uhu"],
    ] as const) {
      const events = ofCase(name);
      const started = only(events, "run.started");
      expect(started.map(({ origin }) => origin[0]).join("")).toBe(origins);
      const joined = only(events, "input.joined").map(({ runId }) => runId);
      for (const { runId, origin } of started) expect(joined.includes(runId)).toBe(origin === "user");
    }
  });

  test("a result that says it is of background work ends no run that inputs joined", () => {
    const events = eventsOf([
      prompt("a"),
      init(),
      result({ origin: { kind: "task-notification" } }),
      result(),
    ]);
    expect(only(events, "run.ended")).toMatchObject([{ runId: "r3", outcome: "completed" }, { runId: "r2" }]);
    expect(only(events, "input.ended")).toMatchObject([{ runId: "r2" }]);
  });

  test("a result without a turn is the verdict on what waits, and on nothing else", () => {
    const failed = result({
      subtype: "error_during_execution",
      is_error: true,
      num_turns: 0,
      errors: ["No conversation found"],
      result: null,
    });
    const events = eventsOf([prompt("hi", { uuid: "u1" }), failed]);
    expect(only(events, "input.joined")).toMatchObject([{ inputId: "i1", runId: "r2" }]);
    expect(only(events, "run.ended")).toMatchObject([
      { outcome: "failed", error: { message: "No conversation found" } },
    ]);
    const nothing = eventsOf([prompt("hi", { uuid: "u1" }), fate("u1", "queued"), failed]);
    expect(only(nothing, "run.ended")).toEqual([]);
    expect(only(nothing, "diagnostic")).toMatchObject([{ code: "claude.stray-result" }]);
  });

  test("a repeated result ends nothing that waits", () => {
    const events = eventsOf([init(), result({ uuid: "x" }), prompt("next"), result({ uuid: "x" })]);
    expect(only(events, "run.ended")).toHaveLength(1);
    expect(only(events, "diagnostic")).toMatchObject([{ code: "claude.stray-frame" }]);
  });

  test("what comes after a run is late, and opens no other", () => {
    const events = eventsOf([
      prompt("a"),
      init(),
      assistant("msg_1", [text("a")]),
      result(),
      assistant("msg_2", [text("b")]),
    ]);
    expect(only(events, "run.started")).toHaveLength(1);
    expect(only(events, "message.started").at(-1)).toMatchObject({ messageId: "msg_2", late: true });
    expect(only(events, "message.ended")).toHaveLength(2);
    const streamed = eventsOf([init(), result(), messageStart("msg_2"), stream({ type: "message_stop" })]);
    expect(only(streamed, "message.started")).toEqual([]);
    expect(only(streamed, "diagnostic")).toMatchObject([{ code: "claude.stray-frame" }]);
  });

  test("a run whose first words were lost opens with what comes", () => {
    const events = eventsOf([
      textDelta(0, "hi", { api_message_id: "msg_1" }),
      assistant("msg_1", [text("hi")]),
      result(),
    ]);
    expect(only(events, "run.started")).toMatchObject([{ runId: "r1", origin: "user" }]);
    expect(only(events, "run.ended")).toMatchObject([{ outcome: "completed" }]);
  });

  test("retries are told with what made them", () => {
    expect(only(ofCase("j-429-retry"), "retry.scheduled")).toMatchObject([
      { attempt: 1, max: 3, delayMs: 1116, error: { status: 429, code: "rate_limit" }, runId: "r3" },
      { attempt: 2, max: 3, delayMs: 1171 },
    ]);
    const [refused] = only(
      eventsOf([init(), system("api_retry", { error: "unknown", error_status: null })]),
      "retry.scheduled",
    );
    expect(refused).toMatchObject({ attempt: 1, delayMs: 0, error: { message: "The model call failed" } });
  });

  test("a compaction has its cause, its figures and its end", () => {
    const events = ofCase("r-compact");
    expect(only(events, "compaction.started")).toMatchObject([{ cause: "manual" }]);
    expect(only(events, "compaction.ended")).toMatchObject([
      { outcome: "completed", tokensBefore: 15, tokensAfter: 2621 },
    ]);
    const compacting = [init(), system("status", { status: "compacting" })];
    const ended = (...more: Parameters<typeof eventsOf>[0]): unknown =>
      only(eventsOf([...compacting, ...more]), "compaction.ended");
    expect(only(eventsOf(compacting), "compaction.started")).toMatchObject([
      { cause: "threshold", runId: "r1" },
    ]);
    expect(ended(system("status", { status: null, compact_result: "failed" }))).toMatchObject([
      { outcome: "failed" },
    ]);
    expect(ended(system("status", { status: null, compact_result: "success" }), result())).toMatchObject([
      { outcome: "completed" },
    ]);
    expect(ended(result())).toMatchObject([{ outcome: "abandoned" }]);
    expect(
      ended(system("compact_boundary", { compact_metadata: { trigger: "auto", pre_tokens: 9 } })),
    ).toMatchObject([{ outcome: "completed", tokensBefore: 9 }]);
  });

  test("a run that the process did not finish ends with the connection", () => {
    for (const name of ["q-sigkill-midturn", "q-pgroup"]) {
      expect(only(ofCase(name), "run.ended")).toMatchObject([
        { outcome: "failed", reason: "connection-ended" },
      ]);
    }
  });

  test("the tasks and calls of a run end with it, what is in the background goes on", () => {
    const { events, snapshot } = played([
      init(),
      assistant("msg_1", [call("t1", "Agent"), call("t2", "Bash")]),
      system("task_started", {
        task_id: "fore",
        tool_use_id: "t1",
        task_type: "local_agent",
        is_backgrounded: false,
      }),
      system("task_started", {
        task_id: "back",
        tool_use_id: "t2",
        task_type: "local_bash",
        is_backgrounded: true,
      }),
      says({ type: "user", message: { role: "user", content: "go" }, parent_tool_use_id: "t1" }),
      result(),
    ]);
    expect(only(events, "task.ended")).toMatchObject([{ taskId: "fore", outcome: "abandoned" }]);
    expect(only(events, "tool.ended").map(({ callId }) => callId)).toEqual(["t1", "t2"]);
    expect(snapshot.open.map(({ kind, id }) => `${kind} ${id}`)).toEqual(["task back"]);
  });
});
