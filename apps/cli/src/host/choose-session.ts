import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { AgentRuntime, Session } from "@claxedo/agent-sdk-runtime";
import type { RunPlan } from "../arguments/plan.ts";
import { UsageError } from "../usage-error.ts";
import { findSession } from "./find-session.ts";

/** The session a prompt goes to: the one that is named, else a new one. `cwd`: what a relative `--dir` is relative to. */
export async function chooseSession(runtime: AgentRuntime, plan: RunPlan, cwd: string): Promise<Session> {
  if (plan.session !== undefined) return reuse(runtime, plan, plan.session, cwd);
  const { access, model, mode } = plan;
  return runtime.sessions.create({
    directory: resolve(cwd, plan.dir ?? "."),
    harness: { id: plan.harness ?? "pi", ...(access === undefined ? undefined : { access }) },
    ...(model === undefined ? undefined : { model }),
    ...(mode === undefined ? undefined : { mode }),
  });
}

async function reuse(runtime: AgentRuntime, plan: RunPlan, prefix: string, cwd: string): Promise<Session> {
  const session = await findSession(runtime, prefix);
  const { directory, harness } = session;
  if (plan.dir !== undefined && !(await samePlace(resolve(cwd, plan.dir), directory)))
    refuse("dir", directory);
  if (plan.harness !== undefined && plan.harness !== harness.id) refuse("harness", harness.id);
  if (plan.access !== undefined && plan.access !== harness.access) refuse("access", harness.access);
  const change = {
    ...(plan.model === undefined || plan.model === session.model ? undefined : { model: plan.model }),
    ...(plan.mode === undefined || plan.mode === session.mode ? undefined : { mode: plan.mode }),
  };
  return Object.keys(change).length === 0 ? session : runtime.config.update(session.id, change);
}

function refuse(option: string, value: string): never {
  throw new UsageError(
    `The session has --${option} ${value}, and keeps it: leave the option out, or start a new session.`,
    "run",
  );
}

async function samePlace(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => realpath(path).catch(() => path)));
  return first === second;
}
