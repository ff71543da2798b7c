import type { Json, PermissionOption, Question } from "@claxedo/agent-event-runtime";
import type { AskRecord } from "../session/session-state.ts";

/** A request of a harness to be allowed something. What was asked is there while it is open. */
export interface PermissionAsk extends AskRecord {
  /** What it is about, for people. */
  readonly title?: string;
  /** The tool call that waits for it. */
  readonly callId?: string;
  /** Ids of the subagent tasks that ask, innermost first. */
  readonly agent?: readonly string[];
  readonly options?: readonly PermissionOption[];
}

/** A request of a harness to be told something. What was asked is there while it is open. */
export interface QuestionAsk extends AskRecord {
  readonly callId?: string;
  readonly agent?: readonly string[];
  readonly questions?: readonly Question[];
}

/** Names a request. */
export interface AskId {
  readonly sessionId: string;
  readonly requestId: string;
}

/** A permission request is answered by one of its options. */
export interface AnswerPermission extends AskId {
  readonly optionId: string;
  /** Why not, for the model to read. */
  readonly message?: string;
  /** What the tool is run with in place of what was asked for, where the harness can. */
  readonly input?: Json;
}

/** A question request is answered as a whole. */
export interface AnswerQuestion extends AskId {
  /**
   * For each question in order: the label of an option, or words of one's own; several where it takes several, none
   * (`[]`) where it is optional.
   */
  readonly answers: readonly (string | readonly string[])[];
}

/** A request is refused. */
export interface RejectAsk extends AskId {
  /** Why, for the model to read. */
  readonly message?: string;
}

/**
 * What harnesses ask to be allowed, in turns and outside of them. The first answer wins: it is stored, then
 * handed to the harness, and `permission.ended` tells everybody. Answers reject with `ask-not-found`,
 * `ask-ended` (it was answered or withdrawn; nothing is changed), `invalid-input` (names the options),
 * `not-supported`, `owned-elsewhere`, or `harness-failed` (the answer stands, but the harness could not be told:
 * it is ended).
 */
export interface Permissions {
  /** All requests of the session, in order. */
  list(sessionId: string): Promise<readonly PermissionAsk[]>;
  answer(answer: AnswerPermission): Promise<void>;
  /** Takes the option that refuses it this once. */
  reject(request: RejectAsk): Promise<void>;
}

/** What harnesses ask to be told; otherwise as `Permissions`, with `question.ended`. */
export interface Questions {
  /** All requests of the session, in order. */
  list(sessionId: string): Promise<readonly QuestionAsk[]>;
  answer(answer: AnswerQuestion): Promise<void>;
  reject(request: RejectAsk): Promise<void>;
}
