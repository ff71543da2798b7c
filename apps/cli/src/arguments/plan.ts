import type { HarnessAccess } from "@claxedo/agent-sdk-runtime";
import type { CommandName } from "./command-specs.ts";

/** What the command line asks for. Paths are as typed; nothing has been looked up yet. */
export type Plan =
  | RunPlan
  | SessionsPlan
  | ShowPlan
  | EventsPlan
  | ReplayPlan
  | DoctorPlan
  | DemoPlan
  | HelpPlan
  | VersionPlan;

/** Run one prompt. */
export interface RunPlan {
  readonly command: "run";
  readonly prompt: PromptSource;
  readonly dir?: string;
  readonly harness?: string;
  readonly access?: HarnessAccess;
  readonly model?: string;
  readonly mode?: string;
  readonly permissions?: PermissionPolicy;
  readonly session?: string;
  readonly store?: string;
  readonly json: boolean;
}

/** What becomes of an agent's request for permission: the person at the terminal decides, or it is refused or allowed. */
export type PermissionPolicy = "ask" | "deny" | "allow";

/** Where the prompt comes from. */
export type PromptSource = { readonly from: "argument"; readonly text: string } | { readonly from: "stdin" };

/** List the sessions. */
export interface SessionsPlan {
  readonly command: "sessions";
  readonly store?: string;
  readonly json: boolean;
}

/** Print a transcript. */
export interface ShowPlan {
  readonly command: "show";
  readonly id: string;
  readonly store?: string;
  readonly json: false;
}

/** Print a log. */
export interface EventsPlan {
  readonly command: "events";
  readonly id: string;
  readonly after: number;
  readonly follow: boolean;
  readonly store?: string;
  readonly json: boolean;
}

/** Translate a recording, or summarize each in a folder. */
export interface ReplayPlan {
  readonly command: "replay";
  readonly path: string;
  readonly adapter?: string;
  readonly projection?: string;
  /** The harness's name of a session. */
  readonly session?: string;
  readonly summary: boolean;
  readonly json: boolean;
}

/** Check the installation. */
export interface DoctorPlan {
  readonly command: "doctor";
  readonly store?: string;
  readonly json: boolean;
}

/** Run the demonstration. */
interface DemoPlan {
  readonly command: "demo";
  readonly json: false;
}

/** Print the help, of one command or of all. */
interface HelpPlan {
  readonly command: "help";
  readonly of?: CommandName;
  readonly json: false;
}

/** Print the version. */
interface VersionPlan {
  readonly command: "version";
  readonly json: false;
}
