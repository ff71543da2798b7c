import { stat } from "node:fs/promises";
import { claudeAdapter, type Json } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { ConnectRequest, Harness, OfferRequest } from "../harness/harness.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";
import { ScriptedClaudeConnection, type ScriptedClaudeStage } from "./scripted-claude-connection.ts";
import { offer } from "./scripted-claude-lines.ts";

/** A harness in claude's dialect that does what the prompt says, with a stage to look behind. */
export interface ScriptedClaude extends Harness {
  readonly stage: ScriptedClaudeStage;
}

/**
 * A harness for tests of hosts that can do all that a harness may: it asks, takes input while it works, changes
 * its settings, has tasks, resumes, and tells what it offers. A realization of the contract, in this process, that
 * speaks claude's dialect and does what the first word of the prompt says.
 *
 * - `answer TEXT` answers; `garbage` writes what is no line, then answers; `todo A;B` makes a list of things to do.
 * - `work` works until it is interrupted; `stubborn` ignores interrupts; `tool` runs a tool for ever.
 * - `ask COMMAND` asks for permission, `question` asks two questions, `withdraw` asks and withdraws that.
 * - `fold` works until more input comes, and takes it into the run; after `apart` that gets a run of its own.
 * - `background` leaves a task behind; with `done` it ends after the run, with `hang` in a run that says nothing
 *   more, with `ask` it asks for permission then.
 * - `mcp NAME STATUS;NAME STATUS` tells how its MCP servers are.
 * - `limit` is refused by a rate limit and says nothing more; `crash TEXT` says that and dies; `spoilt` fails
 *   since its provider refuses what is in the history, `overflow` since that is too long.
 * - Commands are handled without a run of the model; `/clear` gives the session another name.
 */
export function scriptedClaude(id = "claude"): ScriptedClaude {
  const stage: ScriptedClaudeStage = {
    prompts: [],
    answers: [],
    requests: [],
    sessions: [],
    connections: 0,
    offers: 0,
  };
  return {
    id,
    access: ["native"],
    capabilities: {
      permissions: true,
      questions: true,
      offer: true,
      configure: true,
      tasks: true,
      steer: true,
      resume: true,
      history: false,
    },
    adapter: claudeAdapter,
    stage,
    health: async () => ({ ok: true }),
    history: async () => [],
    connect: (request) => connect(stage, request),
    async offer(request) {
      stage.offers += 1;
      await ready(stage, request);
      return offer;
    },
  };
}

async function connect(stage: ScriptedClaudeStage, request: ConnectRequest): Promise<HarnessConnection> {
  await ready(stage, request);
  if (request.model !== undefined && !offer.models.some(({ id }) => id === request.model))
    throw new AgentRuntimeError("model-unknown", `There is no model ${request.model}.`);
  stage.connections += 1;
  stage.requests.push(request);
  return new ScriptedClaudeConnection(stage, request, known(stage, request.binding));
}

async function ready(stage: ScriptedClaudeStage, request: OfferRequest): Promise<void> {
  const { directory } = request;
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new AgentRuntimeError("directory-missing", `There is no directory ${directory}: create it.`);
  await stage.connect?.(request);
  if (request.signal.aborted) throw new AgentRuntimeError("closed", "Nobody waits for this any more.");
}

/** The session that a binding names, if there is one. */
function known(stage: ScriptedClaudeStage, binding: Json | undefined): string | undefined {
  return stage.sessions.find((id) => JSON.stringify(binding) === JSON.stringify({ sessionId: id }));
}
