import { stat } from "node:fs/promises";
import { piAdapter } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { ConnectRequest, Harness } from "../harness/harness.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";
import { ScriptedConnection, type ScriptedStage } from "./scripted-connection.ts";

/** A harness that does what the prompt says, with a stage to look behind. */
export interface ScriptedHarness extends Harness {
  readonly stage: ScriptedStage;
}

/**
 * A harness for tests of hosts: a realization of the contract, in this process, that speaks pi's dialect and
 * does what the first word of the prompt says.
 *
 * - `answer TEXT` answers; `flood N` answers in N pieces; `garbage` writes what is no frame, then answers.
 * - `never` works until it is interrupted; `stubborn` ignores interrupts; `tool` runs a tool for ever.
 * - `refuse` and `handled` start no run; `crash` dies in the middle of one.
 */
export function scriptedHarness(id = "pi"): ScriptedHarness {
  const stage: ScriptedStage = { prompts: [], connections: 0 };
  return {
    id,
    access: ["native"],
    capabilities: {
      permissions: false,
      questions: false,
      offer: false,
      configure: false,
      tasks: false,
      steer: false,
      resume: false,
      history: false,
    },
    adapter: piAdapter,
    stage,
    health: async () => ({ ok: true }),
    history: async () => [],
    connect: (request) => connect(stage, request),
  };
}

async function connect(stage: ScriptedStage, request: ConnectRequest): Promise<HarnessConnection> {
  const found = await stat(request.directory).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new AgentRuntimeError(
      "directory-missing",
      `There is no directory ${request.directory}: create it.`,
    );
  }
  await stage.connect?.(request);
  if (request.signal.aborted)
    throw new AgentRuntimeError("closed", "Nobody waits for this connection any more.");
  stage.connections += 1;
  return new ScriptedConnection(stage);
}
