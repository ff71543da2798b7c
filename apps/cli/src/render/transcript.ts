import type { TranscriptRow } from "@claxedo/agent-event-runtime";
import { permissionLine, questionLine } from "./ask-text.ts";
import { turnVerdict } from "./names.ts";
import { plainLine, plainText } from "./plain-text.ts";
import type { Paint } from "./style.ts";
import { toolMark, toolName, toolRemark } from "./tool-line.ts";

type RowOf<Type extends TranscriptRow["type"]> = TranscriptRow & { readonly type: Type };

/** One row of a transcript as text, with the line feed at its end; `""` for a row that people need not see. */
export function transcriptRow(row: TranscriptRow, paint: Paint): string {
  const text = body(row, paint);
  if (text === "") return "";
  return `${row.agent !== undefined && row.agent.length > 0 ? indented(text) : text}\n`;
}

function body(row: TranscriptRow, paint: Paint): string {
  switch (row.type) {
    case "input":
      return input(row, paint);
    case "text":
      return plainText(row.text).trimEnd();
    case "reasoning":
      return paint("dim", plainText(row.text).trimEnd());
    case "tool":
      return tool(row, paint);
    case "turn":
      return `${verdict(row, paint)}\n`;
    case "notice":
      return paint(row.level === "info" ? "dim" : "yellow", `· ${plainLine(row.text, 400)}`);
    case "media":
      return paint("dim", `[${row.kind} ${plainLine(row.mediaType, 80)}]`);
    case "plan":
      return plainText(row.text).trimEnd();
    case "todo":
      return row.items.map(({ status, text }) => `  [${status}] ${plainLine(text, 200)}`).join("\n");
    case "permission":
      return paint("dim", `· ${permissionLine(row.title, row)}`);
    case "question":
      return paint("dim", `· ${questionLine(row.questions, row)}`);
    case "task":
      return task(row, paint);
    // A file's change is told by the call that made it, an amendment by nothing but the log.
    case "file":
    case "amendment":
      return "";
  }
}

function input(row: RowOf<"input">, paint: Paint): string {
  const said = row.parts
    .map((part) => (part.type === "image" ? `[image ${part.mediaType}]` : part.text))
    .join("\n");
  if (row.synthetic && row.inputId !== undefined)
    return paint("dim", `· handed over to the agent: ${said.length} characters of what was said before`);
  const quoted = plainText(said).trimEnd().replaceAll("\n", "\n  ");
  const remark = row.status === "answered" || row.status === "sent" ? "" : paint("dim", ` (${row.status})`);
  return `${paint("bold", `> ${quoted}`)}${remark}`;
}

function tool(row: RowOf<"tool">, paint: Paint): string {
  const { outcome } = row;
  if (outcome === undefined) return `● ${toolName(row, paint)}${paint("dim", " (running)")}`;
  return `${toolMark(outcome, paint)} ${toolName(row, paint)}${paint("dim", toolRemark({ ...row, outcome }))}`;
}

function verdict(row: RowOf<"turn">, paint: Paint): string {
  const said = turnVerdict({ status: row.outcome, reason: row.reason });
  const cause = row.error === undefined ? "" : `: ${plainLine(row.error.message, 2_000)}`;
  return paint(row.outcome === "failed" ? "red" : "dim", `── ${said}${cause}`);
}

function task({ title, summary, outcome }: RowOf<"task">, paint: Paint): string {
  return paint("dim", `· task: ${plainLine(title ?? summary ?? "", 200)} (${outcome ?? "open"})`);
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gmu, "  ");
}
