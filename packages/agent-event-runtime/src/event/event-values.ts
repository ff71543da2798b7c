import type { Json } from "../base/json.ts";

/**
 * One piece of what a user hands to an agent. A command is for the agent's program rather than for its
 * model: a slash and its name, then its arguments, as typed. It stands alone.
 */
export type InputPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "command"; readonly text: string }
  | { readonly type: "image"; readonly mediaType: string; /** Base64. */ readonly data: string };

/** How one of our turns ended. */
export type TurnOutcome = "completed" | "failed" | "cancelled";

/** How a run of the harness ended. */
export type RunOutcome = TurnOutcome;

/**
 * How an input ended. `refused`: the harness said no. `handled`: no run was needed (a slash command).
 * `known`: the harness had it already. `lost`: it did not arrive, or nobody knows.
 * `unobserved`: this harness cannot tell.
 */
export type InputOutcome = "answered" | "cancelled" | "refused" | "lost" | "handled" | "known" | "unobserved";

/** How a message ended. */
export type MessageOutcome = "completed" | "cancelled" | "failed" | "superseded" | "abandoned";

/** How a tool call ended. */
export type ToolOutcome = "ok" | "failed" | "denied" | "cancelled" | "abandoned";

/** How a permission request ended. */
export type PermissionOutcome = "allowed" | "denied" | "cancelled" | "expired";

/** How a question ended. */
export type QuestionOutcome = "answered" | "rejected" | "cancelled" | "expired";

/** How a task (subagent or background work) ended. */
export type TaskOutcome = "completed" | "failed" | "cancelled" | "abandoned";

/** What a tool call does, for icons and policies. */
export type ToolKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "mcp"
  | "agent"
  | "other";

/** Whether the runtime is doing something right now. Never "done": outcomes are told by turns. */
export type SessionStatus = "recovering" | "busy" | "error" | "idle";

/** Why a connection to a harness ended. */
export type HarnessEndReason = "switched" | "closed" | "crashed" | "lost";

/** Token counts of one run, message or session. An absent count is unknown, which is not 0. */
export type Usage = {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  readonly totalTokens?: number;
};

/** A failure as told to users: no secrets, a message that stands on its own. */
export interface ErrorInfo {
  readonly message: string;
  /**
   * The harness's own, but for two. `history-rejected`: the provider refuses the conversation as it stands, so every
   * later prompt would fail alike. `context-overflow`: the conversation does not fit into the model's context.
   */
  readonly code?: string;
  /** HTTP status of a model provider, where the harness names one. */
  readonly status?: number;
}

/** One choice offered by a permission request. */
export interface PermissionOption {
  readonly optionId: string;
  readonly label: string;
  readonly effect: "allow" | "deny";
  readonly scope: "once" | "session" | "always";
}

/** One question of a question request. */
export interface Question {
  readonly prompt: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multiple: boolean;
}

/** One entry of the agent's list of things to do. */
export interface TodoItem {
  readonly text: string;
  readonly status: "pending" | "active" | "done" | "dropped";
}

/** Where in the workspace a tool call works. */
export interface ToolLocation {
  readonly path: string;
  readonly line?: number;
}

/** How the process behind a connection ended. */
export interface ExitInfo {
  readonly code?: number;
  readonly signal?: string;
  readonly message?: string;
}

/** Opaque vendor data carried beside the canonical fields. */
export type Native = Json;
