import type { HarnessAccess } from "../harness/harness.ts";

/** A harness as offered to users: its id, its name, and how it can be reached (the first is the default). */
export interface HarnessDefinition {
  readonly id: string;
  readonly title: string;
  readonly access: readonly HarnessAccess[];
}

/** The harnesses of this package. Command lines and pickers take their choices from here. */
export const harnessDefinitions: readonly HarnessDefinition[] = [
  { id: "claude", title: "Claude Code", access: ["native", "acp"] },
  { id: "codex", title: "Codex", access: ["native", "acp"] },
  { id: "cursor", title: "Cursor", access: ["acp", "native"] },
  { id: "opencode", title: "opencode", access: ["native"] },
  { id: "pi", title: "pi", access: ["native"] },
];
