import { type Directive, lastDirective } from "../script/directive.ts";
import { type ChatMessage, userTexts } from "./messages-body.ts";

/** Where a conversation is in its script. */
export interface Position {
  readonly directive: Directive;
  /** The step that is asked for, counted from 0: how many assistant messages follow the directive's message. */
  readonly step: number;
  /** How many assistant messages precede it: tells a directive from the same one in an earlier prompt. */
  readonly before: number;
}

/** The last directive of a conversation governs; `undefined` when there is none. */
export function positionOf(messages: readonly ChatMessage[]): Position | undefined {
  for (const [at, message] of [...messages.entries()].toReversed()) {
    const directive = directiveOf(message);
    if (directive !== undefined)
      return { directive, step: answers(messages.slice(at)), before: answers(messages.slice(0, at)) };
  }
  return undefined;
}

function answers(messages: readonly ChatMessage[]): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

function directiveOf(message: ChatMessage): Directive | undefined {
  return userTexts(message)
    .map(lastDirective)
    .findLast((directive) => directive !== undefined);
}
