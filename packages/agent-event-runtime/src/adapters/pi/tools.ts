import { fingerprint } from "../../base/fingerprint.ts";
import { toJson, type Json } from "../../base/json.ts";
import { assign, lookup, omit } from "../../base/keyed-list.ts";
import { field, flag, number, text } from "../../base/read.ts";
import type { EventDraft } from "../../event/agent-runtime-event.ts";
import type { ToolOutcome } from "../../event/event-values.ts";
import { contentText, describeCall, shortId, toolKind } from "./frames.ts";
import type { PiState, PiTool } from "./pi-state.ts";
import { type PiHandler, type PiStep, inRun, says, silent, strayFrame, andThen } from "./step.ts";

/** Opens a tool call under the id that pi's own id stands for from now on. */
export function startTool(
  state: PiState,
  vendorId: string,
  call: {
    readonly callId: string;
    readonly messageId?: string;
    readonly name: string;
    readonly args?: unknown;
  },
): PiStep {
  const { callId, messageId, name } = call;
  const input = toJson(call.args);
  const tool: PiTool = { callId, name, path: pathOf(call.args), input: markOf(input), output: null };
  return says(
    { ...state, tools: assign(state.tools, vendorId, tool) },
    {
      type: "tool.started",
      callId,
      ...(messageId === undefined ? undefined : { messageId }),
      name,
      kind: toolKind(name),
      ...(input === undefined ? undefined : { input, ...describeCall(name, call.args) }),
      ...inRun(state),
    },
  );
}

/** The whole input of an open call; silent when it was told already. */
export function tellInput(state: PiState, vendorId: string, args: unknown): PiStep {
  const tool = lookup(state.tools, vendorId);
  const input = toJson(args);
  const mark = markOf(input);
  if (tool === undefined || input === undefined || mark === tool.input) return silent(state);
  return says(
    {
      ...state,
      tools: assign(state.tools, vendorId, { ...tool, input: mark, path: pathOf(args) ?? tool.path }),
    },
    { type: "tool.updated", callId: tool.callId, input, ...describeCall(tool.name, args) },
  );
}

/** `tool_execution_start`: news of a call that its message announced, or the first word of it. */
export const executionStarted: PiHandler = (state, payload, context) => {
  const id = text(payload, "toolCallId");
  if (id === undefined) return strayFrame(state, "A tool execution of pi has no call id.");
  const vendorId = shortId(id);
  if (lookup(state.tools, vendorId) !== undefined) return tellInput(state, vendorId, field(payload, "args"));
  const name = text(payload, "toolName") ?? "unknown";
  return startTool(state, vendorId, {
    callId: `t${context.frame}/${vendorId}`,
    name,
    args: field(payload, "args"),
  });
};

/** `tool_execution_update`: the output so far, or its tail. */
export const executionUpdated: PiHandler = (state, payload, context) => {
  const vendorId = shortId(text(payload, "toolCallId") ?? "");
  if (lookup(state.tools, vendorId) === undefined) {
    return andThen(executionStarted(state, payload, context), (open) =>
      lookup(open.tools, vendorId) === undefined ? silent(open) : executionUpdated(open, payload, context),
    );
  }
  return tellOutput(state, vendorId, contentText(field(payload, "partialResult"), "\n"));
};

function tellOutput(state: PiState, vendorId: string, output: string): PiStep {
  const tool = lookup(state.tools, vendorId);
  const mark = fingerprint(output);
  if (tool === undefined || output === "" || tool.output === mark) return silent(state);
  return says(
    { ...state, tools: assign(state.tools, vendorId, { ...tool, output: mark }) },
    { type: "tool.updated", callId: tool.callId, output },
  );
}

/** `tool_execution_end`: what came of the call. */
export const executionEnded: PiHandler = (state, payload, context) => {
  const vendorId = shortId(text(payload, "toolCallId") ?? "");
  const known = lookup(state.tools, vendorId) !== undefined;
  return andThen(known ? silent(state) : executionStarted(state, payload, context), (open) =>
    endTool(open, vendorId, field(payload, "result"), {
      failed: flag(payload, "isError") === true,
      durationMs: number(payload, "durationMs"),
    }),
  );
};

/** A toolResult message: the end of a call that had none yet. */
export function toolResult(state: PiState, message: unknown): PiStep {
  return endTool(state, shortId(text(message, "toolCallId") ?? ""), message, {
    failed: flag(message, "isError") === true,
    durationMs: number(message, "durationMs"),
  });
}

function endTool(
  state: PiState,
  vendorId: string,
  result: unknown,
  how: { readonly failed: boolean; readonly durationMs: number | undefined },
): PiStep {
  const tool = lookup(state.tools, vendorId);
  if (tool === undefined) return silent(state);
  const output = contentText(result, "\n");
  const exitCode = exitCodeOf(result, output);
  const outcome = outcomeOf(how.failed, output);
  return says(
    { ...state, tools: omit(state.tools, vendorId) },
    ...(outcome === "ok" ? changeOf(tool, result) : []),
    {
      type: "tool.ended",
      callId: tool.callId,
      outcome,
      output,
      ...(exitCode === undefined ? undefined : { exitCode }),
      ...(how.durationMs === undefined ? undefined : { durationMs: how.durationMs }),
    },
  );
}

function outcomeOf(failed: boolean, output: string): ToolOutcome {
  if (!failed) return "ok";
  return /(?:^|\n)(?:Command|Operation) aborted\s*$/.test(output) ? "cancelled" : "failed";
}

/** 1.x says it as data; 0.73 only at the end of the output of a command that failed. */
function exitCodeOf(result: unknown, output: string): number | undefined {
  const said = number(field(result, "structuredContent"), "exit_code");
  if (said !== undefined) return said;
  const told = /(?:^|\n)Command exited with code (\d{1,3})\s*$/.exec(output.slice(-100))?.[1];
  return told === undefined ? undefined : Number(told);
}

/** Pi does not say whether a written file was there before: a change of either kind is a modification. */
function changeOf(tool: PiTool, result: unknown): readonly EventDraft[] {
  if (tool.path === null || toolKind(tool.name) !== "edit") return [];
  const details = field(result, "details");
  const diff = text(details, "patch") ?? text(details, "diff");
  return [
    {
      type: "file.changed",
      path: tool.path,
      change: "modified",
      callId: tool.callId,
      ...(diff === undefined ? undefined : { diff }),
    },
  ];
}

function pathOf(args: unknown): string | null {
  return text(args, "path") ?? null;
}

function markOf(input: Json | undefined): string | null {
  return input === undefined ? null : fingerprint(JSON.stringify(input));
}
