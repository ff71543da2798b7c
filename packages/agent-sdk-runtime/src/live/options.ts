import type { RawFrame } from "@claxedo/agent-event-runtime";
import type { ArchiveOptions } from "./archive/archive.ts";

/**
 * Sees every frame, both directions, in wire order. One at a time for each direction: while a received frame
 * is with it, it may be offered a sent one, and the other way round.
 */
export type Tap = (frame: RawFrame) => void | Promise<void>;

/** How the CLI asks whether a tool may run. The shapes are Claude Code's `can_use_tool` request. */
export interface ToolRequest {
  readonly toolName: string;
  readonly input: unknown;
  readonly toolUseId?: string;
  /** What the CLI offers to remember with a yes: for `updatedPermissions`. */
  readonly suggestions: readonly unknown[];
  /** Everything that came. */
  readonly request: unknown;
  /** Aborted when the CLI does not want the answer any more. */
  readonly signal: AbortSignal;
}

/** The answer. `allow` without an input keeps the one that was asked for. */
export type ToolAnswer =
  | {
      readonly behavior: "allow";
      readonly updatedInput?: unknown;
      readonly updatedPermissions?: readonly unknown[];
    }
  | { readonly behavior: "deny"; readonly message: string; readonly interrupt?: boolean };

/** Decides whether a tool may run. What it throws is a denial that the model can read. */
export type CanUseTool = (request: ToolRequest) => ToolAnswer | Promise<ToolAnswer>;

/** Hook callbacks for one event of the CLI, such as `PreToolUse`. */
export interface Hook {
  /** Which tools it is for; default: all. */
  readonly matcher?: string;
  /** Answers with Claude Code's hook output; `{}` for no objection. */
  readonly callback: (input: unknown, signal: AbortSignal) => unknown;
}

/** An MCP server of the host's own process. */
export interface HostedMcpServer {
  readonly type: "sdk";
  /** Takes a JSON-RPC message and gives the response to it; `undefined` for a notification. */
  readonly onMessage: (message: unknown, signal: AbortSignal) => unknown;
}

/** An MCP server that the CLI starts or calls: an entry of Claude Code's `mcpServers` configuration. */
export interface McpServerConfig {
  readonly type?: "stdio" | "http" | "sse";
  readonly [setting: string]: unknown;
}

/** What a session is made with. */
export interface LiveSessionOptions {
  /** Where the agent works: an existing directory. */
  readonly cwd: string;
  /** The program. Default: `CLAUDE_CODE_PATH`, then `claude` on PATH, then an installed platform package. */
  readonly binary?: string;
  readonly model?: string;
  /** `default`, `acceptEdits`, `plan`, `bypassPermissions`, … as the CLI names them. */
  readonly permissionMode?: string;
  /** A session to go on with, by its id. */
  readonly resume?: string;
  /** With `resume`: goes on under a new id, leaving the old session as it was. */
  readonly fork?: boolean;
  /** The id of the new session: a UUID that was never used. Default: the CLI's choice. */
  readonly sessionId?: string;
  /** Replaces the CLI's own system prompt, or is put after it. */
  readonly systemPrompt?: string | { readonly append: string };
  readonly mcpServers?: Readonly<Record<string, McpServerConfig | HostedMcpServer>>;
  readonly hooks?: Readonly<Record<string, readonly Hook[]>>;
  /** Added to this process's environment; `undefined` removes. Variables that mark a CLI inside a CLI are not passed on. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Further arguments, such as `["--tools=Bash,Read"]`, put behind all others; none that an option stands for. */
  readonly extraArgs?: readonly string[];
  /** Pieces of messages as they are made (`stream_event`). Default false. */
  readonly partialMessages?: boolean;
  /**
   * Decides on tools, questions and plans, taking as long as it likes. `manual`: they stay in `state.asks`
   * until `answer` is called.
   * Default: the CLI asks nobody and denies what would need a question.
   */
  readonly canUseTool?: CanUseTool | "manual";
  /** Keeps a copy of the transcript. What the last pass did, and could not do, is in `state.archive`. */
  readonly archive?: ArchiveOptions;
  /** For the CLI to start and answer, in milliseconds. Default 60,000. */
  readonly startTimeoutMs?: number;
  /** For the CLI to answer a request. Default 30,000. */
  readonly controlTimeoutMs?: number;
  /** For `close`, all steps together. Default 10,000. */
  readonly closeTimeoutMs?: number;
  /** How many messages wait for one reader of `events`. Default 1,000. */
  readonly eventsBuffer?: number;
  /** Sees every frame before anything else does; a sent one before it is written. What it throws ends the session. */
  readonly tap?: Tap;
}
