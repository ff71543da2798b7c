import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import { isUuid } from "../input.ts";
import type { LiveSessionOptions } from "../options.ts";

/** The command line of a long-lived CLI. Values stand behind `=`, so that none is read as a flag. */
export function liveArguments(options: LiveSessionOptions, mcpConfig?: string): readonly string[] {
  const { model, permissionMode, resume, fork, sessionId, systemPrompt, extraArgs } = options;
  return [
    "--input-format=stream-json",
    "--output-format=stream-json",
    "--verbose",
    // Missing from `--help`: without it nothing is asked, and what would be is denied.
    ...(options.canUseTool === undefined ? [] : ["--permission-prompt-tool=stdio"]),
    ...(options.partialMessages === true ? ["--include-partial-messages"] : []),
    ...value("model", model),
    ...value("permission-mode", permissionMode),
    ...sessionArguments(resume, fork, sessionId),
    ...promptArguments(systemPrompt),
    ...value("mcp-config", mcpConfig),
    ...furtherArguments(extraArgs),
  ];
}

/** Arguments that options stand for, or that the talk rests on. */
const RESERVED: ReadonlySet<string | undefined> = new Set([
  "--input-format",
  "--output-format",
  "--permission-prompt-tool",
  "--include-partial-messages",
  "--model",
  "--permission-mode",
  "--session-id",
  "--resume",
  "-r",
  "--continue",
  "-c",
  "--fork-session",
  "--system-prompt",
  "--append-system-prompt",
]);

function furtherArguments(args: readonly string[] = []): readonly string[] {
  const reserved = args.find((arg) => RESERVED.has(arg.split("=")[0]));
  if (reserved === undefined) return args;
  throw new AgentRuntimeError(
    "invalid-input",
    `${reserved} cannot be a further argument: use the option for it, where there is one.`,
  );
}

function value(flag: string, text: string | undefined): readonly string[] {
  return text === undefined ? [] : [`--${flag}=${text}`];
}

function sessionArguments(
  resume: string | undefined,
  fork: boolean | undefined,
  sessionId: string | undefined,
): readonly string[] {
  for (const id of [resume, sessionId]) {
    if (id !== undefined && !isUuid(id))
      throw new AgentRuntimeError(
        "invalid-input",
        `"${id}" is no session id of Claude Code, which is a UUID.`,
      );
  }
  if (resume === undefined && fork === true)
    throw new AgentRuntimeError(
      "invalid-input",
      "Only a session that is resumed can be forked; name it by `resume`.",
    );
  if (resume !== undefined && sessionId !== undefined && fork !== true)
    throw new AgentRuntimeError("invalid-input", "A resumed session keeps its id; `sessionId` needs `fork`.");
  return [
    ...value("resume", resume),
    ...value("session-id", sessionId),
    ...(fork === true ? ["--fork-session"] : []),
  ];
}

function promptArguments(prompt: LiveSessionOptions["systemPrompt"]): readonly string[] {
  return typeof prompt === "string"
    ? value("system-prompt", prompt)
    : value("append-system-prompt", prompt?.append);
}
