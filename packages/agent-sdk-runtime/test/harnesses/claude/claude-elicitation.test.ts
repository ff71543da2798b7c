import { expect, test } from "vitest";
import { claudeAdapter, type EventDraft, type Json } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../../../src/errors/agent-runtime-error.ts";
import { field } from "../../../src/live/messages.ts";
import { answerLine } from "../../../src/harnesses/claude/answers.ts";

type Answers = readonly (readonly string[])[] | undefined;
type Properties = { readonly [name: string]: Json };

/** What the CLI is answered to that request, as the adapter tells it. */
function responseTo(request: object, answers: Answers): unknown {
  const payload = {
    type: "control_request",
    request_id: "r1",
    request: { subtype: "elicitation", ...request },
  };
  const frame = { dir: "received", channel: "", payload, at: 0 } as const;
  const context = { frame: 1, time: 0, connection: 1, isOpen: () => false, wasEnded: () => false };
  const { events } = claudeAdapter.reduce(claudeAdapter.initialState, frame, context);
  const [asked] = events.filter(isQuestion);
  const answer = { kind: "question", answers } as const;
  const line = answerLine({ requestId: "q1", native: asked?.native ?? null, by: "user", answer });
  return field(line, "response");
}

function isQuestion(event: EventDraft): event is Extract<EventDraft, { type: "question.requested" }> {
  return event.type === "question.requested";
}

const form = (properties: Properties, required: readonly string[] = Object.keys(properties)): object => ({
  message: "Where?",
  requested_schema: { type: "object", properties, required },
});

const account = form(
  {
    host: { type: "string" },
    port: { type: "integer" },
    secure: { type: "boolean" },
    colour: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
    size: { type: "number", oneOf: [{ const: 1.5, title: "Small" }] },
    tags: { type: "array", items: { anyOf: [{ const: "a", title: "First" }, { const: "b" }] } },
    words: { type: "array", items: { type: "string" } },
  },
  ["host", "port", "secure", "colour"],
);
const large = form(Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`f${index}`, {}])));
const page = { message: "Log in.", mode: "url", url: "https://example.invalid/" };

const accepted = (content?: object): object => ({ action: "accept", ...(content && { content }) });

test.each<[string, object, Answers, object]>([
  [
    "fills each field, choices by their labels",
    account,
    [["h"], ["80"], ["true"], ["Green"], ["Small"], ["First", "b"], ["x", "y"]],
    accepted({
      host: "h",
      port: 80,
      secure: true,
      colour: "g",
      size: 1.5,
      tags: ["a", "b"],
      words: ["x", "y"],
    }),
  ],
  [
    "leaves out what is not answered and not required",
    account,
    [["h"], ["80"], ["false"], ["r"], [], [], []],
    accepted({ host: "h", port: 80, secure: false, colour: "r" }),
  ],
  ["gives a required list without items", form({ tags: { type: "array" } }), [[]], accepted({ tags: [] })],
  ["fills a form of one field", form({ port: { type: "number" } }), [["1.5"]], accepted({ port: 1.5 })],
  ["fills a form by one object", account, [['{"host":"h","port":1}']], accepted({ host: "h", port: 1 })],
  ["fills a form by one object that is too large", large, [['{"f1":1}']], accepted({ f1: 1 })],
  ["accepts what has no fields", form({}), [["Accept"]], accepted({})],
  ["accepts it by an object, too", form({}), [["{}"]], accepted({})],
  ["declines what has no fields", form({}), [["Decline"]], { action: "decline" }],
  ["accepts an address without a content", page, [["Accept"]], accepted()],
  ["declines a form", account, undefined, { action: "decline" }],
])("%s", (_, request, answers, response) => {
  expect(responseTo(request, answers)).toEqual({ subtype: "success", request_id: "r1", response });
});

test.each<[string, object, Answers]>([
  ["a number, with a word", form({ port: { type: "number" } }), [["eighty"]]],
  ["a number, with a blank", form({ port: { type: "number" } }), [[" "]]],
  ["a whole number, with another", form({ port: { type: "integer" } }), [["1.5"]]],
  ["yes or no, with a word", form({ secure: { type: "boolean" } }), [["maybe"]]],
  ["a choice, with none of its values", form({ colour: { type: "string", enum: ["r"] } }), [["Red"]]],
  ["what is required, with nothing", form({ host: { type: "string" } }), [[]]],
  ["seven fields, with one word", account, [["h"]]],
  ["seven fields, with two answers", account, [["h"], ["80"]]],
  ["what wants an object, with a word", large, [["Accept"]]],
  ["what has no fields, with a word", form({}), [["no"]]],
  ["what has no fields, with nothing", form({}), []],
])("refuses to answer %s", (_, request, answers) => {
  const error: unknown = (() => {
    try {
      return responseTo(request, answers);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(AgentRuntimeError.is(error) && error.code).toBe("invalid-input");
});

test("a field of a name that objects have is a field like any other", () => {
  const properties = JSON.parse('{"__proto__":{"type":"string"},"constructor":{}}') as Properties;
  const line = JSON.stringify(responseTo(form(properties), [["a"], ["b"]]));
  expect(line).toContain('"content":{"__proto__":"a","constructor":"b"}');
});
