import { claudeAdapter } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { Harness } from "../../harness/harness.ts";
import { askOffer, connect } from "./connect.ts";
import { claudeHealth } from "./health.ts";
import { readHistory } from "./history.ts";
import type { ClaudeOptions } from "./options.ts";

/**
 * Claude Code: the `claude` program (2.1), one long-lived process for each session, with its login, settings
 * and tools. It asks before it acts, unless its permission mode says otherwise. Throws `invalid-input` for
 * options that cannot be.
 */
export function claude(options: ClaudeOptions = {}): Harness {
  const { maxRetries } = options;
  if (maxRetries !== undefined && !(Number.isSafeInteger(maxRetries) && maxRetries >= 0))
    throw new AgentRuntimeError(
      "invalid-input",
      `maxRetries is a whole number from 0 on, not ${maxRetries}.`,
    );
  return {
    id: "claude",
    access: ["native"],
    capabilities: {
      permissions: true,
      questions: true,
      offer: true,
      configure: true,
      tasks: true,
      steer: true,
      resume: true,
      history: true,
    },
    adapter: claudeAdapter,
    health: () => claudeHealth(options),
    connect: (request) => connect(options, request),
    offer: (request) => askOffer(options, request),
    history: readHistory,
  };
}
