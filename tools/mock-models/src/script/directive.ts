import type { ModelStep } from "./model-step.ts";
import { parseSteps } from "./parse.ts";

const OPEN = "[[script:";
const CLOSE = "]]";

/** What a user text says of the script to follow. */
export interface Directive {
  /** As it stands in the text. */
  readonly source: string;
  /** The steps as JSON says them, the name of a script, or what is wrong with the directive. */
  readonly content:
    | { readonly kind: "steps"; readonly value: unknown }
    | { readonly kind: "name"; readonly name: string }
    | { readonly kind: "malformed"; readonly problem: string };
}

/**
 * The text that makes the model follow these steps, to stand anywhere in a prompt: `[[script:[…]]]`.
 *
 * @throws {TypeError} when a step is none.
 */
export function script(steps: readonly ModelStep[]): string {
  return `${OPEN}${JSON.stringify(parseSteps(steps))}${CLOSE}`;
}

/** The text that makes the model follow the script of that name: `[[script:name]]`. */
export function scriptNamed(name: string): string {
  return `${OPEN}${name}${CLOSE}`;
}

/** The last directive of a text. What stands inside of another, such as the prompt of a subagent, is none. */
export function lastDirective(text: string): Directive | undefined {
  let last: Directive | undefined;
  let start = text.indexOf(OPEN);
  while (start >= 0) {
    last = directiveAt(text, start);
    if (last.content.kind === "malformed") return last;
    start = text.indexOf(OPEN, start + last.source.length);
  }
  return last;
}

function directiveAt(text: string, start: number): Directive {
  const from = start + OPEN.length;
  const json = text[from] === "[";
  const end = json ? endOfArray(text, from) : text.indexOf(CLOSE, from);
  if (end === undefined || end < 0)
    return malformed(
      text.slice(start),
      json ? "its JSON array does not end" : `it does not end with ${CLOSE}`,
    );
  const source = text.slice(start, end + CLOSE.length);
  if (!source.endsWith(CLOSE)) return malformed(source, `its JSON array is not followed by ${CLOSE}`);
  const inner = text.slice(from, end);
  if (!json) return { source, content: { kind: "name", name: inner } };
  try {
    return { source, content: { kind: "steps", value: JSON.parse(inner) } };
  } catch (error) {
    return malformed(source, `it is no JSON: ${String(error)}`);
  }
}

function malformed(source: string, problem: string): Directive {
  return { source, content: { kind: "malformed", problem } };
}

/** Where the array that begins at `from` ends: behind its last bracket. Brackets in strings do not count. */
function endOfArray(text: string, from: number): number | undefined {
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]]/gsu;
  token.lastIndex = from;
  let depth = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === "[") depth += 1;
    if (found[0] === "]") depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
  return undefined;
}
