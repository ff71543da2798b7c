import type { EventOf, Json, Question } from "@claxedo/agent-event-runtime";
import { plainLine, plainText } from "../render/plain-text.ts";
import type { Paint } from "../render/style.ts";
import { keyOf } from "./typed-reply.ts";

/** How much of one field of a tool's input is shown. */
const MAX_LINES = 40;
const MAX_LENGTH = 4_000;

/** What waits for a permission: the tool, and what it is to be run with. */
export interface AskingCall {
  readonly name: string;
  readonly input?: Json;
}

/** A permission request as it is put to a person. `plan`: told before, and not told again. */
export function permissionText(
  { title, options, agent }: EventOf<"permission.requested">,
  { call, plan }: { readonly call: AskingCall | undefined; readonly plan: string | undefined },
  paint: Paint,
): string {
  const by = agent === undefined || agent.length === 0 ? "" : " (a subagent asks)";
  return lines([
    heading(`${plainLine(title ?? "The agent asks for permission", 300)}${by}`, paint),
    ...(call === undefined || title?.startsWith(call.name) === true ? [] : [`  ${plainLine(call.name, 80)}`]),
    ...inputLines(call?.input, plan),
    ...options.map((option, index) => {
      const key = keyOf(option, options);
      const remark = [...(key === undefined ? [] : [key]), ...scopes[option.scope]].join(", ");
      return choice(index, option.label, remark === "" ? "" : paint("dim", ` (${remark})`));
    }),
    paint("dim", "  Number or key, then Enter; the reason may follow a refusal."),
  ]);
}

/** One of the questions of a request as it is put to a person. */
export function questionText(
  { prompt, options, multiple }: Question,
  place: { readonly number: number; readonly of: number },
  paint: Paint,
): string {
  const count = place.of > 1 ? ` (${place.number} of ${place.of})` : "";
  const how = options.length === 0 ? "Words" : multiple ? "Numbers, or words" : "A number, or words";
  return lines([
    heading(`${plainText(prompt).trim().replaceAll("\n", "\n  ")}${count}`, paint),
    ...options.map(({ label, description }, index) =>
      choice(
        index,
        label,
        description === undefined ? "" : paint("dim", ` – ${plainLine(description, 400)}`),
      ),
    ),
    paint("dim", `  ${how} of your own, then Enter; - gives no answer.`),
  ]);
}

const scopes = { once: [], session: ["for this session"], always: ["for good"] } as const;

function heading(text: string, paint: Paint): string {
  return `${paint("yellow", "?")} ${paint("bold", text)}`;
}

function choice(index: number, label: string, remark: string): string {
  return `  ${index + 1}  ${plainLine(label, 400)}${remark}`;
}

/** The fields of a tool's input, each with as much as a person can read. */
function inputLines(input: Json | undefined, plan: string | undefined): readonly string[] {
  const fields = typeof input === "object" && input !== null ? Object.entries(input) : [];
  return fields.flatMap(([name, value]) =>
    value === undefined || value === plan ? [] : [`    ${plainLine(name, 80)}: ${readable(value)}`],
  );
}

function readable(value: Json): string {
  const text = plainText(typeof value === "string" ? value : JSON.stringify(value));
  const cut = text.slice(0, MAX_LENGTH).split("\n").slice(0, MAX_LINES).join("\n");
  const rest = text.length - cut.length;
  return `${cut.replaceAll("\n", "\n      ")}${rest === 0 ? "" : ` … ${rest} more characters`}`;
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}
