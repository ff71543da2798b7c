import { messageOf } from "../../base/message-of.ts";
import { AgentRuntimeError, type AgentRuntimeErrorCode } from "../../errors/agent-runtime-error.ts";
import { CLIError } from "../../live/cli-error.ts";

/** What went wrong with the CLI, as hosts are told it. */
export function hostError(error: unknown): AgentRuntimeError {
  if (AgentRuntimeError.is(error)) return error;
  const code = CLIError.is(error) ? codeOf(error) : "harness-failed";
  return new AgentRuntimeError(code, messageOf(error), {
    cause: error,
  });
}

function codeOf({ fault }: CLIError): AgentRuntimeErrorCode {
  switch (fault.kind) {
    case "not-found":
      return "harness-unavailable";
    case "closed":
      return "closed";
    case "spawn-failed":
    case "exited":
    case "protocol":
    case "timeout":
    case "refused":
      return "harness-failed";
  }
}

/** The CLI's codes for a model that does not exist; the others are about the way to its provider. */
const UNKNOWN_MODEL: ReadonlySet<string | undefined> = new Set(["not_found", "catalog_unknown", undefined]);

/** Whether the CLI refused a model because there is none of that name. Older CLIs give no code. */
export function isUnknownModel(error: unknown): error is CLIError {
  return CLIError.is(error) && error.fault.kind === "refused" && UNKNOWN_MODEL.has(error.fault.code);
}

/** Whether the CLI ended because it has no session of the id that it was to resume. */
export function isUnknownSession(error: unknown): boolean {
  return (
    CLIError.is(error) &&
    error.fault.kind === "exited" &&
    error.fault.stderrTail.includes("No conversation found")
  );
}

/** Whether the CLI said no to a request. */
export function isRefusal(error: unknown): error is CLIError {
  return CLIError.is(error) && error.fault.kind === "refused";
}

/** Whether the CLI did not take or answer something in time. */
export function isTimeout(error: unknown): boolean {
  return CLIError.is(error) && error.fault.kind === "timeout";
}
