import type { KeyedList } from "../../base/keyed-list.ts";
import type { Usage } from "../../event/event-values.ts";

/** From the first `agent_start` until pi has settled: retries and compactions in between are one run. */
export type PiRun = {
  readonly runId: string;
  /** Whether an input of ours has joined it. */
  readonly joined: boolean;
  /** `agent_end` was seen and no `agent_start` since. */
  readonly ended: boolean;
  /** This pi says `agent_settled` (1.x), so silence decides nothing. */
  readonly settles: boolean;
  /** After `agent_end`, pi has said that it will go on by itself. */
  readonly continues: boolean;
  /** The user called off the waiting for a retry. */
  readonly retryCancelled: boolean;
  /** Of the last assistant message. */
  readonly stopReason: string | null;
  readonly errorMessage: string | null;
  readonly usage: Usage | null;
  readonly costUsd: number | null;
};

/** A part of the open message, by its index in the vendor's content list. */
export type PiPart = {
  readonly kind: "text" | "reasoning" | "tool";
  readonly ended: boolean;
  readonly callId: string | null;
};

/** The message under way: pi has at most one. */
export type PiMessage = {
  readonly messageId: string;
  /** The frame it opened at, from which its parts are named. */
  readonly frame: number;
  readonly role: "user" | "assistant";
  readonly parts: KeyedList<PiPart>;
};

/** A tool call under way, under the vendor's id. */
export type PiTool = {
  readonly callId: string;
  readonly name: string;
  /** The file it works on. */
  readonly path: string | null;
  /** Marks of what was told last, so that it is not told again. */
  readonly input: string | null;
  readonly output: string | null;
};

/** An input that pi has not taken up, or not answered for. */
export type PiInput = {
  readonly inputId: string;
  /** Mark of the command's id; `null` when it had none. */
  readonly ask: string | null;
  readonly command: "prompt" | "steer" | "follow_up";
  /** To be queued when pi is busy. */
  readonly queues: boolean;
  /** Marks of the texts under which pi may echo it. */
  readonly texts: readonly string[];
  readonly answered: boolean;
  /** Pi said that it goes to a run; 0.73 never says so. */
  readonly accepted: boolean;
  readonly joined: boolean;
  /** Its message holds more than the user handed in, so the echo is not the user's words. */
  readonly holdsMore?: true;
};

/** A command of the user's own shell. */
export type PiShell = {
  readonly ask: string | null;
  readonly callId: string;
};

/** A dialog of an extension, under the vendor's id. */
export type PiQuestion = {
  readonly requestId: string;
  readonly runId: string | null;
  readonly method: string;
  /** When pi answers it itself, in milliseconds since the epoch. */
  readonly expiresAt: number | null;
};

/** What translation of pi must remember between frames: what is open, and marks instead of texts. */
export type PiState = {
  readonly run: PiRun | null;
  readonly message: PiMessage | null;
  readonly tools: KeyedList<PiTool>;
  readonly inputs: readonly PiInput[];
  readonly shells: readonly PiShell[];
  readonly questions: KeyedList<PiQuestion>;
  readonly compaction: string | null;
  /** Messages that ended since the last prompt to an idle pi, as pi's session file counts them. */
  readonly seen: number;
  /** Messages that the host has told again from pi's session file. */
  readonly told: number;
};

/** The state before the first frame of a connection. */
export const initialPiState: PiState = {
  run: null,
  message: null,
  tools: [],
  inputs: [],
  shells: [],
  questions: [],
  compaction: null,
  seen: 0,
  told: 0,
};
