import type { TodoItem } from "@claxedo/agent-event-runtime";
import type { Choice, HarnessChoice, HarnessOffer } from "../harness/harness.ts";
import type { HarnessSettings } from "../harness/harness-connection.ts";
import type { McpServer, OpenTask } from "../session/session-state.ts";
import type { Session, StartTurnOptions, Turn } from "./runtime-api.ts";

/** A slash command on its way to a harness. */
export interface RunCommand extends Pick<StartTurnOptions, "sessionId" | "whenBusy" | "idempotencyKey"> {
  /** As a user types it: `/compact keep the tests`. */
  readonly command: string;
}

/**
 * The slash commands of a session's harness. What there is is told by the connection that is up, else by a
 * program that is started for it and ends again; `not-supported` where the harness does not tell.
 */
export interface Commands {
  list(sessionId: string): Promise<HarnessOffer["commands"]>;
  /** A turn with that command alone. `invalid-input` unless it begins with a slash. */
  run(options: RunCommand): Promise<Turn>;
}

/** The models of a session's harness, told as the commands are. */
export interface Models {
  list(sessionId: string): Promise<HarnessOffer["models"]>;
}

/** What a session asks of its harness. */
export interface SessionConfig {
  readonly harness: HarnessChoice;
  /** In use, or asked for from the next turn on; absent: the harness's own choice. */
  readonly model?: string;
  /** How freely the harness may act, in its own words. */
  readonly mode?: string;
  /** What may be chosen. Empty where the harness does not tell, and where another host has the session. */
  readonly modes: readonly Choice[];
}

/** Settings of a session's harness. */
export interface Config {
  read(sessionId: string): Promise<SessionConfig>;
  /**
   * Changes them: at once where the harness is up and can, else from the next turn on. A change that it
   * refuses (`invalid-input`, `model-unknown`, `harness-failed`) or does not answer (`timeout`) changes nothing.
   */
  update(sessionId: string, change: HarnessSettings): Promise<Session>;
}

/** The main agent's list of things to do. */
export interface Todos {
  /** As it was told last; empty when it never was. */
  list(sessionId: string): Promise<readonly TodoItem[]>;
}

/** Subagents and background work. */
export interface Tasks {
  /** What is at work now, in order of starting. */
  list(sessionId: string): Promise<readonly OpenTask[]>;
  /**
   * Stops one. Resolves when the harness has taken it; `task.ended` tells its end. Rejects with
   * `task-not-found` when it is not at work, `not-supported`, or `harness-failed`.
   */
  stop(options: { readonly sessionId: string; readonly taskId: string }): Promise<void>;
}

/** The MCP servers of a session's harness. */
export interface Mcp {
  /** As the connection that is up told of each last, in order of first mention; empty where none is up. */
  list(sessionId: string): Promise<readonly McpServer[]>;
}
