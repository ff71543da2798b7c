import { describe, expect, test } from "vitest";
import {
  answer,
  assistant,
  call,
  canUseTool,
  control,
  eventsOf,
  init,
  ofCase,
  only,
  played,
  result,
  says,
  send,
  system,
  toolResult,
} from "./said.ts";

const bash = { tool_name: "Bash", display_name: "Bash", input: { command: "touch x" }, tool_use_id: "t1" };
const asking = [init(), assistant("a", [call("t1", "Bash", { command: "touch x" })]), canUseTool("r1", bash)];

/** How the permission ends after these steps. */
function endOf(...steps: Parameters<typeof eventsOf>[0]): unknown {
  return only(eventsOf([...asking, ...steps]), "permission.ended")[0];
}

describe("permissions of claude", () => {
  test("are asked under an id of their own, with what the answer needs", () => {
    const suggestions = [
      {
        type: "addRules",
        rules: [{ toolName: "Bash", ruleContent: "touch x" }, { toolName: "Read" }],
        destination: "localSettings",
      },
      { type: "addDirectories", directories: ["/w"], destination: "session" },
      { type: "setMode", mode: "acceptEdits", destination: "session" },
      { type: "new" },
    ];
    const [asked] = only(
      eventsOf([
        init(),
        canUseTool("r1", { ...bash, description: "Make x", permission_suggestions: suggestions }),
      ]),
      "permission.requested",
    );
    expect(asked).toMatchObject({
      requestId: "q2",
      callId: "t1",
      title: "Bash: Make x",
      runId: "r1",
      native: { requestId: "r1", toolUseId: "t1", suggestions },
    });
    expect(asked?.options).toEqual([
      { optionId: "allow", label: "Allow", effect: "allow", scope: "once" },
      {
        optionId: "suggestion-0",
        label: "Allow, and always allow Bash(touch x), Read",
        effect: "allow",
        scope: "always",
      },
      { optionId: "suggestion-1", label: "Allow, and work in /w", effect: "allow", scope: "session" },
      {
        optionId: "suggestion-2",
        label: "Allow, and switch to the mode acceptEdits",
        effect: "allow",
        scope: "session",
      },
      {
        optionId: "suggestion-3",
        label: "Allow, and do as the CLI suggests",
        effect: "allow",
        scope: "always",
      },
      { optionId: "deny", label: "Deny", effect: "deny", scope: "once" },
    ]);
  });

  test("keep the type of the vendor's id, and tell requests apart by it", () => {
    const events = eventsOf([
      init(),
      says({ type: "control_request", request_id: 0, request: { subtype: "can_use_tool", ...bash } }),
      says({
        type: "control_request",
        request_id: "0",
        request: { subtype: "can_use_tool", ...bash, tool_use_id: "t2" },
      }),
      send({
        type: "control_response",
        response: { subtype: "success", request_id: "0", response: { behavior: "allow" } },
      }),
    ]);
    expect(only(events, "permission.requested").map(({ native }) => native)).toMatchObject([
      { requestId: 0 },
      { requestId: "0" },
    ]);
    expect(only(events, "permission.ended")).toMatchObject([{ requestId: "q3" }]);
  });

  test("that are asked again while they are open are the same", () => {
    expect(only(eventsOf([...asking, canUseTool("r1", bash)]), "permission.requested")).toHaveLength(1);
  });

  test.each([
    ["allow", { behavior: "allow" }, { outcome: "allowed", scope: "once" }],
    [
      "allow for the session",
      { behavior: "allow", updatedPermissions: [{ type: "setMode", destination: "session" }] },
      { outcome: "allowed", scope: "session" },
    ],
    [
      "allow for good",
      {
        behavior: "allow",
        updatedPermissions: [{ destination: "session" }, { destination: "localSettings" }],
      },
      { outcome: "allowed", scope: "always" },
    ],
    ["deny", { behavior: "deny", message: "no" }, { outcome: "denied", scope: "once" }],
    ["no answer at all", { behavior: "maybe" }, { outcome: "denied", scope: "once" }],
  ])("end with the answer that is sent: %s", (_, response, told) => {
    expect(endOf(answer("r1", response))).toMatchObject({ requestId: "q3", by: "user", ...told });
  });

  test("end as the host notes, where it does", () => {
    expect(endOf(answer("r1", { behavior: "allow" }, { by: "policy", scope: "session" }))).toMatchObject({
      by: "policy",
      scope: "session",
    });
  });

  test("end as denied by an error", () => {
    const error = send({
      type: "control_response",
      response: { subtype: "error", request_id: "r1", error: "host exploded" },
    });
    expect(endOf(error)).toMatchObject({ outcome: "denied" });
  });

  test("end once: by the answer, the withdrawal, the interrupt or the result of the call, whichever is first", () => {
    const withdrawn = says({ type: "control_cancel_request", request_id: "r1" });
    const interrupt = control("c1", { subtype: "interrupt" });
    const over = toolResult("t1", "no", {}, { is_error: true });
    const firsts = [
      [answer("r1", { behavior: "allow" }), { outcome: "allowed", by: "user" }],
      [withdrawn, { outcome: "cancelled", by: "harness" }],
      [interrupt, { outcome: "cancelled", by: "user" }],
      [over, { outcome: "cancelled", by: "harness" }],
      [result(), { outcome: "cancelled", by: "harness" }],
    ] as const;
    for (const [first, told] of firsts) {
      const ends = only(
        eventsOf([...asking, first, withdrawn, interrupt, over, result()]),
        "permission.ended",
      );
      expect(ends).toMatchObject([told]);
    }
  });

  test("of the open run end with an interrupt, those of background agents do not", () => {
    const task = { task_id: "bg", tool_use_id: "t9", task_type: "local_agent", is_backgrounded: true };
    const inner = { ...bash, tool_use_id: "t2", agent_id: "bg" };
    const { snapshot } = played([
      ...asking,
      system("task_started", task),
      canUseTool("r2", inner),
      control("c1", { subtype: "interrupt" }, { by: "policy" }),
    ]);
    expect(snapshot.open.filter(({ kind }) => kind === "permission")).toMatchObject([
      { id: "q5", agent: ["bg"] },
    ]);
  });

  test("of a background agent may come with no run open", () => {
    const [asked] = only(ofCase("h-bg-agent-asks"), "permission.requested");
    expect(asked).toMatchObject({ agent: ["ae52a031db57126cc"], callId: "toolu_mock_000002" });
    expect(asked).not.toHaveProperty("runId");
  });

  test("one after the other are two", () => {
    expect(
      only(ofCase("d-parallel-asks"), "permission.requested").map(({ requestId }) => requestId),
    ).toHaveLength(2);
    expect(
      new Set(only(ofCase("d-parallel-asks"), "permission.requested").map(({ requestId }) => requestId)).size,
    ).toBe(2);
  });

  test("that were open when the host came are in the answer to its initialize", () => {
    const pending = { request_id: "r1", request: { subtype: "can_use_tool", ...bash } };
    const events = eventsOf([
      control("c1", { subtype: "initialize" }),
      says({
        type: "control_response",
        response: {
          subtype: "success",
          request_id: "c1",
          response: {},
          pending_permission_requests: [pending, null, {}],
        },
      }),
      canUseTool("r1", bash),
    ]);
    expect(only(events, "permission.requested")).toMatchObject([
      { requestId: "q2", native: { requestId: "r1" } },
    ]);
  });

  test("an interrupt that comes with a refusal calls off the run", () => {
    const refused = [
      answer("r1", { behavior: "deny", interrupt: true }),
      result({ subtype: "error_during_execution", is_error: true }),
    ];
    expect(only(eventsOf([...asking, ...refused]), "run.ended")).toMatchObject([{ outcome: "cancelled" }]);
  });
});

describe("questions of claude", () => {
  test("are asked with their choices, and answered in their order", () => {
    const events = ofCase("e-ask-user");
    expect(only(events, "question.requested")).toMatchObject([
      {
        callId: "toolu_mock_000001",
        questions: [
          {
            prompt: "Which colour?",
            multiple: false,
            options: [
              { label: "Red", description: "Warm" },
              { label: "Blue", description: "Cold" },
            ],
          },
        ],
        native: { toolUseId: "toolu_mock_000001", input: { questions: [{ question: "Which colour?" }] } },
      },
    ]);
    expect(only(events, "question.ended")).toMatchObject([
      { outcome: "answered", by: "user", answers: ["Blue"] },
    ]);
    expect(only(events, "permission.requested")).toEqual([]);
  });

  const ask = canUseTool("r1", {
    tool_name: "AskUserQuestion",
    input: { questions: [{ question: "A?", multiSelect: true }, { question: "B?" }] },
    tool_use_id: "t1",
  });

  test.each([
    [
      {
        behavior: "allow",
        updatedInput: {
          questions: [{ question: "A?" }, { question: "B?" }],
          answers: { "B?": "b", "A?": ["x", "y"] },
        },
      },
      { outcome: "answered", answers: ["x, y", "b"] },
    ],
    [{ behavior: "allow" }, { outcome: "answered" }],
    [{ behavior: "deny", message: "later" }, { outcome: "rejected" }],
  ])("end with the answer that is sent: %j", (response, told) => {
    expect(only(eventsOf([init(), ask, answer("r1", response)]), "question.ended")).toMatchObject([told]);
  });

  test("end as cancelled with an interrupt", () => {
    expect(
      only(eventsOf([init(), ask, control("c1", { subtype: "interrupt" })]), "question.ended"),
    ).toMatchObject([{ outcome: "cancelled", by: "user" }]);
  });

  test("of MCP servers are questions, too", () => {
    const elicited = says({
      type: "control_request",
      request_id: "r1",
      request: { subtype: "elicitation", message: "Which account?", mcp_server_name: "mini" },
    });
    const events = (action: string) =>
      eventsOf([init(), elicited, answer("r1", { action, content: { account: "a" } })]);
    expect(only(events("accept"), "question.requested")).toMatchObject([
      { questions: [{ prompt: "Which account?" }] },
    ]);
    expect(only(events("accept"), "question.ended")).toMatchObject([{ outcome: "answered", answers: ["a"] }]);
    expect(only(events("decline"), "question.ended")).toMatchObject([{ outcome: "rejected" }]);
    expect(only(events("cancel"), "question.ended")).toMatchObject([{ outcome: "cancelled" }]);
  });
});

describe("requests between claude and its host", () => {
  test("say nothing, nor do their answers", () => {
    for (const subtype of ["hook_callback", "mcp_message"]) {
      const steps = [
        init(),
        says({ type: "control_request", request_id: "r1", request: { subtype } }),
        answer("r1", {}),
      ];
      expect(eventsOf(steps)).toEqual(eventsOf([init()]));
    }
  });

  test("of a kind that is new are told, and may be answered", () => {
    const steps = [
      init(),
      says({ type: "control_request", request_id: "r1", request: { subtype: "teleport" } }),
      answer("r1", {}),
    ];
    expect(only(eventsOf(steps), "diagnostic")).toMatchObject([{ code: "frame.unknown" }]);
  });

  test("without an id, or without a request, make no sense", () => {
    for (const broken of [
      { request: { subtype: "can_use_tool" } },
      { request_id: "r1" },
      { request_id: null, request: { subtype: "x" } },
    ]) {
      expect(only(eventsOf([says({ type: "control_request", ...broken })]), "diagnostic")).toMatchObject([
        { code: "claude.stray-frame" },
      ]);
    }
  });

  test("that the CLI refuses are told", () => {
    const refused = says({
      type: "control_response",
      response: { subtype: "error", request_id: "c1", error: "no such mode" },
    });
    const events = eventsOf([control("c1", { subtype: "set_permission_mode", mode: "x" }), refused]);
    expect(only(events, "diagnostic")).toMatchObject([
      { code: "claude.request-refused", message: expect.stringContaining("no such mode") },
    ]);
    expect(only(events, "session.updated")).toEqual([]);
    expect(only(eventsOf([refused]), "diagnostic")).toMatchObject([{ code: "claude.stray-frame" }]);
  });

  test("that nobody answers are not kept for ever", () => {
    const asked = Array.from({ length: 100 }, (_, n) => control(`c${n}`, { subtype: "get_status" }));
    const hooks = Array.from({ length: 100 }, (_, n) =>
      says({ type: "control_request", request_id: `h${n}`, request: { subtype: "hook_callback" } }),
    );
    const { state } = played([...asked, canUseTool("r1", bash), ...hooks]).snapshot;
    expect(JSON.stringify(state).length).toBeLessThan(15_000);
    expect(JSON.stringify(state)).toContain("q101");
  });
});
