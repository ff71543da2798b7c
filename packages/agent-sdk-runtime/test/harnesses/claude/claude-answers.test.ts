import type { Json, PermissionOption } from "@claxedo/agent-event-runtime";
import { expect, test } from "vitest";
import { AgentRuntimeError } from "../../../src/errors/agent-runtime-error.ts";
import type { AskAnswer } from "../../../src/harness/harness.ts";
import { answerLine } from "../../../src/harnesses/claude/answers.ts";

const rule = {
  type: "addRules",
  behavior: "allow",
  destination: "localSettings",
  rules: [{ toolName: "Bash" }],
};
const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
const permission: Json = { requestId: "r-1", toolUseId: "t-1", suggestions: [rule, mode] };

const colour = { question: "Which colour?", header: "C", multiSelect: false, options: [{ label: "Red" }] };
const fruits = { question: "Which fruits?", header: "F", multiSelect: true, options: [{ label: "Pear" }] };
const questions: Json = { requestId: 7, toolUseId: "t-1", input: { questions: [colour, fruits], more: 1 } };

const dialog: Json = { requestId: "r-1", request: { subtype: "request_user_dialog", dialog_kind: "x" } };

const option = (optionId: string, effect: PermissionOption["effect"] = "allow"): PermissionOption => ({
  optionId,
  label: optionId,
  effect,
  scope: "once",
});
const chosen = (optionId: string, more: { message?: string; input?: Json } = {}): AskAnswer["answer"] => ({
  kind: "permission",
  option: option(optionId, optionId === "deny" ? "deny" : "allow"),
  ...more,
});
const said = (...answers: readonly (readonly string[])[]): AskAnswer["answer"] => ({
  kind: "question",
  answers,
});
const refused = (message?: string): AskAnswer["answer"] => ({
  kind: "question",
  answers: undefined,
  ...(message === undefined ? undefined : { message }),
});

function line(native: Json, answer: AskAnswer["answer"]): unknown {
  return answerLine({ requestId: "q1", native, by: "user", answer });
}

test.each<[string, Json, AskAnswer["answer"], unknown]>([
  ["allows, and keeps the input", permission, chosen("allow"), { behavior: "allow" }],
  [
    "allows with another input",
    permission,
    chosen("allow", { input: { command: "ls" } }),
    { behavior: "allow", updatedInput: { command: "ls" } },
  ],
  [
    "allows as the CLI suggests, by the place of the suggestion",
    permission,
    chosen("suggestion-1"),
    { behavior: "allow", updatedPermissions: [mode] },
  ],
  [
    "denies with the words given",
    permission,
    chosen("deny", { message: "No." }),
    { behavior: "deny", message: "No." },
  ],
  [
    "denies in words of its own",
    permission,
    chosen("deny"),
    { behavior: "deny", message: "The user refused this." },
  ],
  [
    "answers each question under its text",
    questions,
    said(["Blue"], ["Apple", "Pear"]),
    {
      behavior: "allow",
      updatedInput: {
        questions: [colour, fruits],
        more: 1,
        answers: { "Which colour?": "Blue", "Which fruits?": "Apple, Pear" },
      },
    },
  ],
  ["leaves questions unanswered", questions, refused("Later."), { behavior: "deny", message: "Later." }],
  [
    "leaves questions unanswered in words of its own",
    questions,
    refused(),
    { behavior: "deny", message: "The user did not answer." },
  ],
  ["completes a dialog", dialog, said(["yes"]), { behavior: "completed", result: "yes" }],
  ["cancels a dialog", dialog, refused(), { behavior: "cancelled" }],
])("%s", (_, native, answer, response) => {
  const request_id = (native as { readonly requestId: Json }).requestId;
  expect(line(native, answer)).toEqual({
    type: "control_response",
    response: { subtype: "success", request_id, response },
  });
});

test.each<[string, Json, AskAnswer["answer"]]>([
  ["of another harness", { id: 1 }, chosen("allow")],
  ["of no shape at all", null, said(["x"])],
  ["for permission, that is to be answered by words", permission, said(["yes"])],
  ["for words, that is to be answered by an option", questions, chosen("allow")],
  ["of a dialog, that is to be answered by an option", dialog, chosen("allow")],
  ["for permission, with a suggestion that is not there", permission, chosen("suggestion-2")],
  ["for permission, with an option that is none", permission, chosen("always")],
  ["for permission, with an input that is no object", permission, chosen("allow", { input: ["ls"] })],
  ["for permission, with an input that is a text", permission, chosen("allow", { input: "ls" })],
  ["for two answers, with one", questions, said(["Blue"])],
  ["for two answers, with three", questions, said(["Blue"], ["Pear"], ["more"])],
  ["for two answers, with one of them empty", questions, said(["Blue"], [])],
  ["of a dialog, with no answer", dialog, said([])],
  ["of a kind that nobody knows", { requestId: 1, request: { subtype: "from_the_future" } }, said(["x"])],
])("refuses the answer to a request %s", (_, native, answer) => {
  const error: unknown = (() => {
    try {
      return line(native, answer);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(AgentRuntimeError.is(error) && error.code).toBe("invalid-input");
});

test("a name that objects have is a name like any other", () => {
  const native: Json = {
    requestId: 1,
    input: { questions: [{ question: "constructor" }, { question: "__proto__" }] },
  };
  const text = JSON.stringify(line(native, said(["a"], ["b"])));
  expect(text).toContain('"answers":{"constructor":"a","__proto__":"b"}');
});
