import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLIError } from "../../src/live/cli-error.ts";
import { inputLine, type SentLine } from "../../src/live/input.ts";
import {
  ended,
  initialLiveState,
  type LiveState,
  received,
  receivedUnparsed,
  sent,
} from "../../src/live/live-state.ts";
import type { ClaudeMessage } from "../../src/live/messages.ts";
import { isSettled, type SendFate } from "../../src/live/send-fates.ts";

const UUIDS = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"] as const;
const [FIRST, SECOND] = UUIDS;

function send(uuid: string): (state: LiveState) => LiveState {
  return (state) => sent(state, inputLine("x", { uuid }));
}

function lifecycle(uuid: string, state: string): ClaudeMessage {
  return { type: "command_lifecycle", command_uuid: uuid, state, session_id: "s" };
}

function result(fields: object = {}): ClaudeMessage {
  return { type: "result", subtype: "success", is_error: false, ...fields };
}

function play(...steps: readonly (ClaudeMessage | ((state: LiveState) => LiveState))[]): LiveState {
  return steps.reduce<LiveState>(
    (state, step) => (typeof step === "function" ? step(state) : received(state, step)),
    initialLiveState,
  );
}

function fateOf(state: LiveState, uuid: string): SendFate | undefined {
  return state.sends.get(uuid);
}

const TASK = { origin: { kind: "task-notification", producer: "session-task", runId: "r" } };

describe("the counters", () => {
  it.each([
    ["of a plain turn", result()],
    ["of a turn with an origin of the host's", result({ origin: { kind: "human" } })],
    ["of a slash command or a blank prompt", result({ num_turns: 0, result: "" })],
    ["of an API error", result({ is_error: true, terminal_reason: "api_error" })],
    ["of an interrupt", result({ subtype: "error_during_execution", is_error: true })],
    ["of a turn that was pre-empted", result({ terminal_reason: "aborted_streaming" })],
    ["without any field", { type: "result" }],
  ])("L3 count the result %s", (_, message) => {
    expect(play(message)).toMatchObject({ resultsSeen: 1, backgroundResults: 0 });
  });

  it("L3 count results of background tasks apart", () => {
    const state = play(result({ result: "mine" }), result({ ...TASK, result: "a task's" }));
    expect(state).toMatchObject({ resultsSeen: 1, backgroundResults: 1 });
    expect(state.lastResult?.result).toBe("mine");
    expect(state.lastBackgroundResult?.result).toBe("a task's");
  });

  it("L3 are not the CLI's own index", () => {
    expect(play(result({ ...TASK, result_index: 0 }), result({ result_index: 1 })).resultsSeen).toBe(1);
  });

  it("L3 count lines that are no messages", () => {
    expect(receivedUnparsed(receivedUnparsed(initialLiveState)).unparsedLines).toBe(2);
  });
});

describe("the activity", () => {
  const init: ClaudeMessage = { type: "system", subtype: "init", session_id: "s" };

  it("L3 follows what the CLI is seen doing", () => {
    expect(initialLiveState.activity).toBe("starting");
    expect(play({ type: "control_response" }).activity).toBe("idle");
    expect(play(init).activity).toBe("working");
    expect(play(send(FIRST), lifecycle(FIRST, "started")).activity).toBe("working");
    expect(play(init, result()).activity).toBe("idle");
    expect(play(init, result(TASK)).activity).toBe("idle");
    expect(play(init, result(), { type: "assistant", parent_tool_use_id: null }).activity).toBe("working");
  });

  it("L3 is not moved by a subagent in the background", () => {
    expect(play(init, result(), { type: "assistant", parent_tool_use_id: "toolu_1" }).activity).toBe("idle");
  });
});

describe("the name", () => {
  it("L5 is on the first message that carries one", () => {
    expect(play(lifecycle(FIRST, "queued")).sessionId).toBe("s");
    expect(play(result({ session_id: "named by a result" })).sessionId).toBe("named by a result");
    expect(play({ type: "control_response" }, { type: "x", session_id: "" }).sessionId).toBeUndefined();
  });

  it("L5 changes with the first line of a turn, not with late lines of the old session", () => {
    const init = (id: string): ClaudeMessage => ({ type: "system", subtype: "init", session_id: id });
    const reset = { type: "conversation_reset", session_id: "old", new_conversation_id: "a third id" };
    const late = { type: "system", subtype: "task_updated", session_id: "old" };
    expect(play(init("old"), reset).sessionId).toBe("old");
    expect(play(init("old"), reset, init("new"), late).sessionId).toBe("new");
  });

  it("L5 comes with the model and the mode", () => {
    const init = { type: "system", subtype: "init", session_id: "s", model: "m", permissionMode: "default" };
    const status = { type: "system", subtype: "status", status: null, permissionMode: "plan" };
    expect(play(init, status)).toMatchObject({ model: "m", permissionMode: "plan" });
    expect(play(init, { type: "assistant", model: "other", permissionMode: "x" }).permissionMode).toBe(
      "default",
    );
  });
});

describe("the fate of a send", () => {
  it("L11 follows a turn of its own, with the result that took it up", () => {
    const told = ["queued", "started"].map((state) => lifecycle(FIRST, state));
    const open = play(send(FIRST), ...told);
    expect(fateOf(open, FIRST)).toEqual({ state: "started" });
    const done = [result({ user_message_uuids: [FIRST] }), lifecycle(FIRST, "completed")];
    expect(fateOf(play(send(FIRST), ...told, ...done), FIRST)).toEqual({ state: "completed", result: 1 });
  });

  it("L11 of a folded send is settled by the result that lists it", () => {
    const steps = [lifecycle(SECOND, "queued"), lifecycle(SECOND, "started"), lifecycle(SECOND, "completed")];
    const folded = play(send(FIRST), lifecycle(FIRST, "started"), send(SECOND), ...steps);
    expect(isSettled(fateOf(folded, SECOND) as SendFate)).toBe(false);
    const done = received(folded, result({ user_message_uuids: [FIRST, SECOND] }));
    expect(fateOf(done, SECOND)).toEqual({ state: "completed", result: 1 });
  });

  it("L11 is cancelled for a stopped turn and for what was called off", () => {
    const stopped = [result({ is_error: true, user_message_uuids: [FIRST] }), lifecycle(FIRST, "cancelled")];
    const state = play(
      send(FIRST),
      lifecycle(FIRST, "queued"),
      send(SECOND),
      lifecycle(SECOND, "queued"),
      ...stopped,
    );
    expect(fateOf(state, FIRST)).toEqual({ state: "cancelled", result: 1 });
    expect(fateOf(received(state, lifecycle(SECOND, "cancelled")), SECOND)).toEqual({ state: "cancelled" });
  });

  it("L11 is completed by a result that names a send of which nothing else was heard", () => {
    const state = play(send(FIRST), result({ user_message_uuids: [FIRST] }));
    expect(fateOf(state, FIRST)).toEqual({ state: "completed", result: 1 });
  });

  it("L11 is known where the session had it already", () => {
    expect(fateOf(play(send(FIRST), lifecycle(FIRST, "completed")), FIRST)).toEqual({ state: "known" });
  });

  it.each([
    ["it is queued", 1],
    ["its result has come", 3],
  ])("L11 of a send that is repeated when %s goes on as it was", (_, before) => {
    const told = [
      lifecycle(FIRST, "queued"),
      lifecycle(FIRST, "started"),
      result({ user_message_uuids: [FIRST] }),
      lifecycle(FIRST, "completed"),
    ];
    const open = play(send(FIRST), ...told.slice(0, before));
    const again = send(FIRST)(open);
    expect(fateOf(again, FIRST)).toEqual(fateOf(open, FIRST));
    const completed = told.slice(before).reduce(received, again);
    expect(fateOf(completed, FIRST)).toEqual({ state: "completed", result: 1 });
  });

  it.each([
    ["completed", [result({ user_message_uuids: [FIRST] }), lifecycle(FIRST, "completed")]],
    ["cancelled", [lifecycle(FIRST, "cancelled")]],
  ] as const)("L11 of a send that is repeated after it was %s is known", (state, end) => {
    const first = play(send(FIRST), lifecycle(FIRST, "queued"), ...end);
    expect(fateOf(first, FIRST)?.state).toBe(state);
    // The process (2.1.332) says nothing of it.
    const again = send(FIRST)(first);
    expect([...again.sends]).toEqual([[FIRST, { state: "known" }]]);
  });

  it("L11 is unobserved where the CLI tells none", () => {
    const state = play(send(FIRST), { type: "system", subtype: "init" }, result(), send(SECOND));
    expect(state.tellsFates).toBe(false);
    expect([...state.sends.values()].map((fate) => fate.state)).toEqual(["unobserved", "unobserved"]);
  });

  it("L11 is not given up because a turn ends that began before the send", () => {
    const early = play({ type: "system", subtype: "init" }, send(FIRST), result());
    expect(fateOf(early, FIRST)).toEqual({ state: "written" });
    expect(fateOf(received(early, lifecycle(FIRST, "queued")), FIRST)).toEqual({ state: "queued" });
  });

  it("L11 is not given up because a background task had a result", () => {
    expect(fateOf(play(send(FIRST), result(TASK)), FIRST)).toEqual({ state: "written" });
  });

  it("L11 of other sends does not move", () => {
    const state = play(send(FIRST), lifecycle(SECOND, "started"), lifecycle(FIRST, "no such state"));
    expect([...state.sends]).toEqual([[FIRST, { state: "written" }]]);
  });

  it("L11 keeps open ones for ever and settled ones for a while", () => {
    const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
    const settle = (n: number): readonly ((state: LiveState) => LiveState)[] => [
      send(uuid(n)),
      (state) => received(state, lifecycle(uuid(n), "completed")),
    ];
    const many = Array.from({ length: 1000 }, (_, n) => settle(n)).flat();
    const state = play(send(uuid(5000)), ...many);
    expect(state.sends.size).toBe(257);
    expect(fateOf(state, uuid(5000))).toEqual({ state: "written" });
    expect([...state.sends.keys()].at(-1)).toBe(uuid(999));
  });
});

describe("open requests", () => {
  const ask = (id: unknown, subtype = "can_use_tool"): ClaudeMessage => ({
    type: "control_request",
    request_id: id,
    request: { subtype },
  });
  const answer = (id: unknown): SentLine => ({
    type: "control_response",
    response: { subtype: "success", request_id: id, response: {} },
  });

  it("end with an answer, a withdrawal, or the process", () => {
    const open = play(ask("a"), ask("b"), ask(1), ask("1"));
    expect(open.asks).toHaveLength(4);
    expect(sent(open, answer(1)).asks.map((each) => each["request_id"])).toEqual(["a", "b", "1"]);
    const withdrawn = received(open, { type: "control_cancel_request", request_id: "b" });
    expect(withdrawn.asks.map((each) => each["request_id"])).toEqual(["a", 1, "1"]);
    expect(ended(open, END).asks).toEqual([]);
  });

  it("are those for persons, not those for programs", () => {
    expect(
      play(ask("a", "hook_callback"), ask("b", "mcp_message"), ask("c", "elicitation")).asks,
    ).toHaveLength(1);
  });
});

const END = { code: 0, signal: null, stderrTail: "", error: new CLIError({ kind: "closed" }, "closed") };

/** Messages of all kinds, with the fields that matter, of right and wrong types. */
const messages: fc.Arbitrary<ClaudeMessage> = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom("system", "assistant", "stream_event", "result", "command_lifecycle", "user"),
      fc.constantFrom(
        "control_request",
        "control_cancel_request",
        "control_response",
        "constructor",
        "__proto__",
      ),
    ),
    subtype: fc.oneof(fc.constantFrom("init", "status", "success"), fc.jsonValue()),
    session_id: fc.oneof(fc.constantFrom("a", "b", ""), fc.jsonValue()),
    command_uuid: fc.oneof(fc.constantFrom(...UUIDS), fc.jsonValue()),
    state: fc.oneof(fc.constantFrom("queued", "started", "completed", "cancelled"), fc.jsonValue()),
    request_id: fc.oneof(fc.constantFrom("1", 1), fc.jsonValue()),
    request: fc.oneof(fc.constant({ subtype: "can_use_tool" }), fc.jsonValue()),
    origin: fc.oneof(fc.constant(TASK.origin), fc.jsonValue()),
    user_message_uuids: fc.oneof(fc.subarray([...UUIDS]), fc.constant({ length: 1 }), fc.jsonValue()),
    model: fc.jsonValue(),
    permissionMode: fc.jsonValue(),
    parent_tool_use_id: fc.jsonValue(),
    is_error: fc.jsonValue(),
  },
  { requiredKeys: ["type"] },
);

const steps = fc.array(fc.oneof({ weight: 5, arbitrary: messages }, fc.constantFrom(...UUIDS).map(send)), {
  maxLength: 60,
});

describe("any sequence of messages", () => {
  it("L3 only ever raises the counters, and never throws", () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        let state = initialLiveState;
        for (const step of sequence) {
          const next = typeof step === "function" ? step(state) : received(state, step);
          for (const counter of [
            "resultsSeen",
            "backgroundResults",
            "unparsedLines",
            "droppedEvents",
          ] as const)
            expect(next[counter] - state[counter]).toBeOneOf([0, 1]);
          const isResult = typeof step !== "function" && step.type === "result";
          const seen =
            next.resultsSeen + next.backgroundResults - state.resultsSeen - state.backgroundResults;
          expect(seen).toBe(isResult ? 1 : 0);
          state = next;
        }
        expect(state.resultsSeen > 0).toBe(state.lastResult !== undefined);
      }),
      { numRuns: 300 },
    );
  });

  it("L3 changes nothing where it says nothing", () => {
    const state = play(send(FIRST), lifecycle(FIRST, "queued"));
    for (const type of ["rate_limit_event", "user", "tool_progress", "no_such_kind"])
      expect(received(state, { type, session_id: "s" })).toBe(state);
  });

  it("L3 leaves a state of bounded size", () => {
    const noise: ClaudeMessage[] = ["system", "assistant", "result", "user", "control_response"].map(
      (type) => ({
        type,
        session_id: "s",
        user_message_uuids: [FIRST],
      }),
    );
    const rounds = (count: number): LiveState => play(...Array.from({ length: count }, () => noise).flat());
    const size = (state: LiveState): number =>
      JSON.stringify({ ...state, sends: [...state.sends], sentBefore: [...(state.sentBefore ?? [])] }).length;
    expect(size(rounds(500))).toBeLessThanOrEqual(size(rounds(5)) + 10);
  });
});
