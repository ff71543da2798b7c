import type { EventOf, ToolOutcome } from "@claxedo/agent-event-runtime";
import { duration } from "./names.ts";
import { plainLine } from "./plain-text.ts";
import type { Look, Paint } from "./style.ts";

/** A tool call as far as a line tells of it. */
export interface ToolCall {
  readonly name: string;
  readonly title?: string;
}

/** What is known of a call after another event about it. */
export function toolCall(
  known: ToolCall | undefined,
  event: EventOf<"tool.started" | "tool.updated">,
): ToolCall {
  const name = event.type === "tool.started" ? event.name : (known?.name ?? "tool");
  const title = event.title ?? known?.title ?? inputTitle(event.input);
  return title === undefined ? { name } : { name, title };
}

/** `bash echo hello`. */
export function toolName({ name, title }: ToolCall, paint: Paint): string {
  const said = title === undefined ? "" : ` ${plainLine(title, 120)}`;
  return `${paint("bold", plainLine(name, 40))}${said}`;
}

/** How a call ended, as an addition to its line: exit code and time where they say something. */
export function toolRemark(
  ended: Pick<EventOf<"tool.ended">, "outcome" | "exitCode" | "durationMs">,
): string {
  const { outcome, exitCode, durationMs } = ended;
  const remarks = [
    ...(outcome === "ok" || outcome === "failed" ? [] : [outcome]),
    ...(exitCode === undefined || exitCode === 0 ? [] : [`exit ${exitCode}`]),
    ...(durationMs === undefined || durationMs < 1_000 ? [] : [duration(durationMs)]),
  ];
  return remarks.length === 0 ? "" : ` (${remarks.join(", ")})`;
}

/** The sign of an outcome. */
export function toolMark(outcome: ToolOutcome, paint: Paint): string {
  const [mark, look] = marks[outcome];
  return paint(look, mark);
}

const marks: { readonly [Outcome in ToolOutcome]: readonly [string, Look] } = {
  ok: ["✓", "green"],
  failed: ["✗", "red"],
  denied: ["⊘", "yellow"],
  cancelled: ["–", "yellow"],
  abandoned: ["–", "yellow"],
};

/** Without a title, the most telling of the usual fields of an input. */
function inputTitle(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  for (const field of ["command", "path", "pattern", "url", "query"]) {
    const value = (input as Readonly<Record<string, unknown>>)[field];
    if (Object.hasOwn(input, field) && typeof value === "string") return value;
  }
  return undefined;
}
