export type { ArchiveOptions } from "./archive/archive.ts";
export type { ArchiveReport } from "./archive/archive-report.ts";
export { ClaudeCode } from "./claude-code.ts";
export type { QueryOptions } from "./claude-code.ts";
export type { ClaudeSession, InterruptOptions, LiveInfo, WaitOptions } from "./claude-session.ts";
export { CLIError } from "./cli-error.ts";
export type { CLIFault } from "./cli-error.ts";
export type { ContentBlock, ControlBody, LiveInput, SendOptions } from "./input.ts";
export type { LiveEnd, LiveState } from "./live-state.ts";
export type { ClaudeMessage, ClaudeResult, LiveMessage, UnparsedLine } from "./messages.ts";
export { isBackgroundResult, isSuccess } from "./messages.ts";
export type {
  CanUseTool,
  Hook,
  HostedMcpServer,
  LiveSessionOptions,
  McpServerConfig,
  Tap,
  ToolAnswer,
  ToolRequest,
} from "./options.ts";
export type { SendFate, SendFates } from "./send-fates.ts";
