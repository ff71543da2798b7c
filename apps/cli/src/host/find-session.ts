import { type AgentRuntime, AgentRuntimeError, type Session } from "@claxedo/agent-sdk-runtime";
import { shortId } from "../render/names.ts";
import { plainLine } from "../render/plain-text.ts";
import { UsageError } from "../usage-error.ts";

/** A page that holds all there is. */
export const everything: { readonly limit: number } = { limit: Number.MAX_SAFE_INTEGER };

/** What an id on the command line names: a session, or one of its turns. */
export interface Named {
  readonly session: Session;
  readonly turnId?: string;
}

/** The session whose id begins like this. `session-not-found` when there is none, a UsageError when there are several. */
export async function findSession(runtime: AgentRuntime, prefix: string): Promise<Session> {
  const sessions = await runtime.sessions.list(everything);
  const exact = sessions.find(({ id }) => id === prefix);
  return (
    exact ??
    only(
      prefix,
      "session",
      sessions.filter(({ id }) => begins(id, "session_", prefix)),
      ({ id }) => id,
    )
  );
}

/** The session, or the turn and its session, whose id begins like this. */
export async function findNamed(runtime: AgentRuntime, prefix: string): Promise<Named> {
  if (!prefix.startsWith("turn_")) return { session: await findSession(runtime, prefix) };
  const found: { readonly session: Session; readonly turnId: string }[] = [];
  for (const session of await runtime.sessions.list(everything)) {
    for (const turnId of await turnsOf(runtime, session.id)) {
      if (turnId === prefix) return { session, turnId };
      if (turnId.startsWith(prefix)) found.push({ session, turnId });
    }
  }
  return only(prefix, "turn", found, ({ turnId }) => turnId);
}

async function turnsOf(runtime: AgentRuntime, sessionId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after = 0; ;) {
    const page = await runtime.turns.list(sessionId, { after });
    const last = page.at(-1);
    if (last === undefined) return ids;
    ids.push(...page.map(({ turnId }) => turnId));
    after = last.seq.queued;
  }
}

function begins(id: string, kind: string, prefix: string): boolean {
  return id.startsWith(prefix) || id.startsWith(kind + prefix);
}

function only<Found>(
  prefix: string,
  kind: "session" | "turn",
  found: readonly Found[],
  idOf: (one: Found) => string,
): Found {
  const [first, ...others] = found;
  if (first === undefined) throw notFound(kind, prefix);
  if (others.length === 0) return first;
  const names = found.slice(0, 5).map((one) => shortId(idOf(one)));
  throw new UsageError(
    `Several ${kind}s begin with "${prefix}" (${names.join(", ")} …): give more of the id.`,
  );
}

function notFound(kind: "session" | "turn", prefix: string): AgentRuntimeError {
  const message = `There is no ${kind} "${plainLine(prefix, 80)}" in this store; claxedo sessions lists what there is.`;
  return new AgentRuntimeError(`${kind}-not-found`, message);
}
