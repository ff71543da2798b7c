import type { LiveSessionOptions } from "../../live/options.ts";

/** How Claude Code is run. Everything has Claude Code's own default, and its own login is used. */
export interface ClaudeOptions extends Pick<
  LiveSessionOptions,
  | "binary"
  | "env"
  | "mcpServers"
  | "hooks"
  | "systemPrompt"
  | "extraArgs"
  | "archive"
  | "startTimeoutMs"
  | "controlTimeoutMs"
> {
  /**
   * How often a call to the model that fails is made again (`CLAUDE_CODE_MAX_RETRIES`). Each is told by a
   * `retry.scheduled`. Claude Code's own default is 10, with growing pauses: minutes, also for a refused login.
   */
  readonly maxRetries?: number;
  /** Whether text comes in pieces as it is made. Default true. */
  readonly partialMessages?: boolean;
}
