import { assistantLine, type Line, noteLine, toolResultLine } from "./lines.ts";

/** Why a turn was stopped; thrown into its handler. */
export class Stopped extends Error {
  /** By the host's request, or by an input that goes first. */
  readonly how: "interrupted" | "preempted";

  constructor(how: "interrupted" | "preempted") {
    super(how);
    this.how = how;
  }
}

/** What was open when a turn was stopped: a call, or a text of which so much was said. */
export interface OpenWork {
  readonly toolUseId?: string;
  readonly kill?: () => void;
  readonly messageId?: string;
  readonly said?: string;
}

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";

/** What comes before the result of a stopped turn. */
export function abortedLines(
  model: string,
  open: OpenWork | undefined,
  how: Stopped["how"],
): readonly Line[] {
  const { toolUseId, messageId, said = "" } = open ?? {};
  const lines: Line[] = [];
  if (toolUseId !== undefined) {
    const meta = { non_execution_kind: "user-rejected" };
    lines.push(
      toolResultLine(toolUseId, REJECTED, { isError: true, result: "User rejected tool use", meta }),
    );
  }
  if (messageId !== undefined)
    lines.push({ ...assistantLine(messageId, model, { type: "text", text: said }, null), aborted: true });
  if (how === "interrupted")
    lines.push(noteLine(`[Request interrupted by user${toolUseId === undefined ? "" : " for tool use"}]`));
  return lines;
}

/** The fields of that result. */
export function abortedFields(open: OpenWork | undefined, how: Stopped["how"]): object {
  const inTool = open?.toolUseId !== undefined;
  const stopReason = inTool ? "tool_use" : null;
  const reason = { terminal_reason: inTool ? "aborted_tools" : "aborted_streaming", stop_reason: stopReason };
  if (how === "preempted") return { ...reason, result: open?.said ?? "" };
  const errors = [`[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=${stopReason}`];
  return { ...reason, subtype: "error_during_execution", is_error: true, errors, result: undefined };
}
