import type { AgentRuntimeEvent, RunOutcome, RuntimeSnapshot } from "@claxedo/agent-event-runtime";

/** What translation came to. */
export interface Account {
  /** Frames that were recorded; silence is none. */
  readonly frames: number;
  readonly events: number;
  /** How many runs ended how. */
  readonly runs: Counts<RunOutcome>;
  /** How often each code came up, told or not: repeats of a code are not all told. */
  readonly diagnostics: Counts;
  /** What is open although the recording is over, as `kind id`. */
  readonly open: readonly string[];
}

/** How many there are of each name. */
export type Counts<Name extends string = string> = ReadonlyMap<Name, number>;

/** The account of nothing. */
export const nothing: Account = { frames: 0, events: 0, runs: new Map(), diagnostics: new Map(), open: [] };

/** The account with a frame more. */
export function withFrame(account: Account): Account {
  return { ...account, frames: account.frames + 1 };
}

/** The account with more events. */
export function withEvents(account: Account, events: readonly AgentRuntimeEvent[]): Account {
  const outcomes = events.flatMap((event) => (event.type === "run.ended" ? [event.outcome] : []));
  return {
    ...account,
    events: account.events + events.length,
    runs: sum(
      account.runs,
      outcomes.map((outcome) => [outcome, 1] as const),
    ),
  };
}

/** The account with a connection that is over. Its diagnostics are counted in its last snapshot. */
export function withConnection(account: Account, { open, diagnostics }: RuntimeSnapshot): Account {
  return {
    ...account,
    diagnostics: sum(account.diagnostics, diagnostics),
    open: open.map(({ kind, id }) => `${kind} ${id}`),
  };
}

/** All of them in one. */
export function sumOf(accounts: readonly Account[]): Account {
  return accounts.reduce(
    (one, other) => ({
      frames: one.frames + other.frames,
      events: one.events + other.events,
      runs: sum(one.runs, other.runs),
      diagnostics: sum(one.diagnostics, other.diagnostics),
      open: [...one.open, ...other.open],
    }),
    nothing,
  );
}

/** What the account has against the adapter; nothing when it was total and balanced. */
export function faultsIn({ diagnostics, open }: Account): readonly string[] {
  return [
    ...(diagnostics.has("adapter.threw") ? ["the adapter threw"] : []),
    ...(diagnostics.has("adapter.unbalanced") ? ["the adapter did not keep the books"] : []),
    ...(open.length > 0 ? [`left open: ${open.join(", ")}`] : []),
  ];
}

function sum<Name extends string>(
  counts: Counts<Name>,
  more: Iterable<readonly [Name, number]>,
): Counts<Name> {
  const total = new Map(counts);
  for (const [name, count] of more) total.set(name, (total.get(name) ?? 0) + count);
  return total;
}
