import { attemptOf, replyOf } from "../script/attempt.ts";
import type { Directive } from "../script/directive.ts";
import type { ModelStep, Reply } from "../script/model-step.ts";
import { parseSteps, type Scripts } from "../script/parse.ts";
import { auxiliaryAnswer, auxiliaryCall } from "./auxiliary.ts";
import type { MessagesBody } from "./messages-body.ts";
import { type Position, positionOf } from "./position.ts";
import type { RequestRule } from "./rule.ts";

/** What a call of the model is answered, and why. */
export interface Choice {
  readonly rule: RequestRule;
  readonly reply: Reply;
}

/** What a choice rests on besides the request. */
export interface Background {
  readonly scripts: Scripts;
  /** How often a step was asked for before, by what tells it from all others. Counts this time. */
  readonly attempt: (step: string) => number;
}

/** Chooses by the request alone, but for the attempts at a step. */
export function choose(body: MessagesBody, background: Background): Choice {
  const call = auxiliaryCall(body);
  if (call !== undefined)
    return { rule: { kind: "auxiliary", call }, reply: replyOf(auxiliaryAnswer(call, body)) };
  const position = positionOf(body.messages);
  if (position === undefined)
    return { rule: { kind: "no-script" }, reply: replyOf("There is no script in this conversation.") };
  const steps = stepsOf(position.directive, background.scripts);
  return typeof steps === "string" ? refusal(steps) : follow(steps, position, background);
}

/** Refuses a request as the API refuses a bad one. */
export function refusal(problem: string, status = 400): Choice {
  return {
    rule: { kind: "refused", problem },
    reply: { error: { status, message: `mock-models: ${problem}` } },
  };
}

function follow(steps: readonly ModelStep[], position: Position, { attempt }: Background): Choice {
  const { directive, step, before } = position;
  const asked = steps[step];
  if (asked === undefined)
    return {
      rule: { kind: "past-last-step", step },
      reply: replyOf(`The script has no step ${step}.`),
    };
  const count = attempt(JSON.stringify([directive.source, before, step]));
  const name = directive.content.kind === "name" ? { script: directive.content.name } : undefined;
  return { rule: { kind: "step", ...name, step, attempt: count }, reply: attemptOf(asked, count) };
}

/** The steps, or what is wrong with the directive. */
function stepsOf({ source, content }: Directive, scripts: Scripts): readonly ModelStep[] | string {
  const start = source.length > 80 ? `${source.slice(0, 80)}…` : source;
  switch (content.kind) {
    case "malformed":
      return `the directive ${start} cannot be read: ${content.problem}.`;
    case "name":
      if (Object.hasOwn(scripts, content.name)) return scripts[content.name] ?? [];
      return `there is no script ${JSON.stringify(content.name)}; there are: ${Object.keys(scripts).join(", ") || "none"}.`;
    case "steps":
      try {
        return parseSteps(content.value);
      } catch (error) {
        return `the directive ${start} is wrong: ${error instanceof Error ? error.message : String(error)}`;
      }
  }
}
