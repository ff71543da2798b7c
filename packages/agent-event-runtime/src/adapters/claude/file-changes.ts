import { list, number, record, text } from "../../base/read.ts";
import type { EventDraft } from "../../event/agent-runtime-event.ts";
import type { ClaudeTool } from "./claude-state.ts";
import { at } from "./place.ts";
import { toolKind } from "./tool-names.ts";

/**
 * The change to a file that a call brought about. Inside subagents the CLI gives no figures with a
 * result.
 */
export function changeOf(tool: ClaudeTool, structured: unknown, output: string): readonly EventDraft[] {
  if (toolKind(tool.name) !== "edit") return [];
  const path = text(structured, "filePath") ?? text(structured, "notebook_path") ?? tool.path;
  if (path === null) return [];
  const diff = diffOf(list(structured, "structuredPatch"));
  const created =
    text(structured, "type") === "create" ||
    (record(structured) === undefined && tool.name === "Write" && output.startsWith("File created"));
  return [
    {
      type: "file.changed",
      path,
      change: created ? "added" : "modified",
      callId: tool.callId,
      ...(diff === "" ? undefined : { diff }),
      ...at(tool),
    },
  ];
}

/** The hunks of a patch as unified diff text. */
function diffOf(hunks: readonly unknown[]): string {
  return hunks
    .map((hunk) => {
      const [oldStart, oldLines, newStart, newLines] = RANGE.map((key) => number(hunk, key) ?? 0);
      const lines = list(hunk, "lines").filter((line) => typeof line === "string");
      return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join("\n");
    })
    .join("\n");
}

const RANGE = ["oldStart", "oldLines", "newStart", "newLines"] as const;
