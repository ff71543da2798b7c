import type {
  EventAdapter,
  InputPart,
  Json,
  PermissionOption,
  WireFrame,
} from "@claxedo/agent-event-runtime";
import type { HarnessConnection } from "./harness-connection.ts";

/** How the host talks to a harness. */
export type HarnessAccess = "acp" | "native";

/** Which harness runs a session, and how it is reached: plain data, so that swapping is changing a string. */
export interface HarnessChoice {
  readonly id: string;
  readonly access: HarnessAccess;
}

/** What a harness can do, for hosts to adapt to. */
export interface HarnessCapabilities {
  /** Asks before it acts: its connections have `answer`. */
  readonly permissions: boolean;
  /** Asks the user questions: its connections have `answer`. */
  readonly questions: boolean;
  /** Tells which models, modes and commands it has: it has `offer`. */
  readonly offer: boolean;
  /** Changes its model or mode while it is up: its connections have `configure`. */
  readonly configure: boolean;
  /** Background work and subagents can be stopped one by one: its connections have `stopTask`. */
  readonly tasks: boolean;
  /** Takes input into a running turn. */
  readonly steer: boolean;
  /** Goes on from its own session after a restart. */
  readonly resume: boolean;
  /** Can say from its own record how a cut turn ended. */
  readonly history: boolean;
}

/** Whether a harness could be used here and now. */
export interface HarnessHealth {
  readonly ok: boolean;
  readonly version?: string;
  /** Where its program was found. */
  readonly program?: string;
  /** What is missing, and the remedy. */
  readonly message?: string;
}

/** What a harness is started with. */
export interface ConnectRequest {
  readonly sessionId: string;
  readonly directory: string;
  readonly model?: string;
  /** How freely it may act, as the harness names it; default: its own. */
  readonly mode?: string;
  /** Goes into the environment of every child as `CLAXEDO_OWNER`. */
  readonly owner: string;
  /** What an earlier connection of this harness left, to resume from. */
  readonly binding?: Json;
  /** Aborted when nobody waits any more: a connection that comes too late must close itself. */
  readonly signal: AbortSignal;
}

/** Where an offer is asked for. */
export interface OfferRequest {
  readonly directory: string;
  /** Goes into the environment of every child as `CLAXEDO_OWNER`. */
  readonly owner: string;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** A choice that a harness offers: what is passed to it, and what people read. */
export interface Choice {
  readonly id: string;
  readonly title?: string;
  readonly description?: string;
}

/** What a harness offers in a directory, as its program tells it. */
export interface HarnessOffer {
  readonly models: readonly Choice[];
  readonly modes: readonly Choice[];
  /** Slash commands, without the slash. */
  readonly commands: readonly (Choice & { readonly argumentHint?: string })[];
}

/** The request of a harness that is answered, and the answer. */
export interface AskAnswer {
  readonly requestId: string;
  /** As the request's event has it. */
  readonly native: Json;
  readonly by: "user" | "policy";
  readonly answer: PermissionAnswer | QuestionAnswer;
}

/** An answer to a permission request: one of its options. */
export interface PermissionAnswer {
  readonly kind: "permission";
  readonly option: PermissionOption;
  /** Why not, for the model to read. */
  readonly message?: string;
  /** What the tool is run with in place of what was asked for. */
  readonly input?: Json;
}

/**
 * An answer to a question request: for each of its questions the answers, in order; `undefined` refuses. Whether a
 * question may be left without one is for the harness to say.
 */
export interface QuestionAnswer {
  readonly kind: "question";
  readonly answers: readonly (readonly string[])[] | undefined;
  /** Why it is refused, for the model to read. */
  readonly message?: string;
}

/** A prompt on its way to the harness. */
export interface PromptRequest {
  readonly turnId: string;
  readonly inputId: string;
  readonly parts: readonly InputPart[];
  /**
   * What was said before, for a session of the harness that does not know it. It goes before the parts; where
   * the frame cannot keep it apart from them, its note has the parts.
   */
  readonly handover?: string;
}

/**
 * One harness: what it can do, how its frames are read, how it is started. A realization keeps no state
 * of its own between connections.
 */
export interface Harness {
  readonly id: string;
  readonly access: readonly HarnessAccess[];
  readonly capabilities: HarnessCapabilities;
  readonly adapter: EventAdapter;
  /** Looks whether it can be used, without starting it. */
  health(): Promise<HarnessHealth>;
  /**
   * Starts it. Rejects with `harness-unavailable`, `harness-failed`, `model-unknown`, `directory-missing`, or
   * `closed` when the signal is aborted already.
   */
  connect(request: ConnectRequest): Promise<HarnessConnection>;
  /**
   * What it offers in a directory, asked of a program of its own that ends again: no session is touched.
   * Rejects as `connect` does. Absent where `capabilities.offer` is false.
   */
  offer?(request: OfferRequest): Promise<HarnessOffer>;
  /**
   * What the harness's own record tells of the time since the last prompt, as frames of the channel
   * `history` for the adapter. Empty when there is no record. Reads only.
   */
  history(binding: Json): Promise<readonly WireFrame[]>;
}
