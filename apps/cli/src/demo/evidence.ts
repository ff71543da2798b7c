import type { AgentRuntimeEvent, SessionStatus } from "@claxedo/agent-event-runtime";
import type { TurnRecord } from "@claxedo/agent-sdk-runtime";
import { turnVerdict } from "../render/names.ts";

/** What was seen on the way, for the closing table. */
export interface Evidence {
  /** Every event that a host process printed. */
  readonly shown: readonly AgentRuntimeEvent[];
  /** Every event in the store. */
  readonly stored: readonly AgentRuntimeEvent[];
  readonly turns: readonly TurnRecord[];
  /** Whether the agent changed the file it was asked to change. */
  readonly edited: boolean;
  /** How the host of the second turn ended. */
  readonly killedBy: string;
  /** The session's status as others saw it while its host was gone. */
  readonly orphanedStatus: SessionStatus;
  /** What the host left running. */
  readonly leftBehind: readonly string[];
  /** The statuses told by the host that recovered the session. */
  readonly recovery: readonly SessionStatus[];
  /** The session's last turn after the recovery, before the third turn. */
  readonly lastTurn: TurnRecord | undefined;
  /** What is still running at the end; `undefined` where that cannot be found out. */
  readonly orphans: readonly string[] | undefined;
}

/** One line of the closing table. */
export interface Check {
  readonly what: string;
  readonly held: boolean;
  readonly detail: string;
}

/** What must have held, and whether it did. */
export function checksOf(evidence: Evidence): readonly Check[] {
  const { shown, stored, edited, killedBy, orphanedStatus, recovery, lastTurn } = evidence;
  return [
    { what: "file edited", held: edited, detail: edited ? "by the agent, in turn 1" : "no" },
    {
      what: "host killed",
      held: killedBy === "SIGKILL",
      detail: `${killedBy} in turn 2, then ${orphanedStatus}`,
    },
    { what: "recovery", held: isRecovery(orphanedStatus, recovery), detail: recovery.join(" → ") || "none" },
    {
      what: "last turn then",
      held: isHostLost(lastTurn),
      detail: lastTurn === undefined ? "none" : turnVerdict(lastTurn),
    },
    ...turnChecks(evidence.turns),
    { what: "events stored", held: stored.length > 0, detail: String(stored.length) },
    {
      what: "seq dense",
      held: isDense(stored),
      detail: `${stored[0]?.seq ?? "-"} … ${stored.at(-1)?.seq ?? "-"}`,
    },
    {
      what: "shown is stored",
      held: isStored(shown, stored),
      detail: `${shown.length} events, as they were shown`,
    },
    orphanCheck(evidence),
  ];
}

const expected = ["completed", "failed (host-lost)", "completed"];

function turnChecks(turns: readonly TurnRecord[]): readonly Check[] {
  const count = Math.max(turns.length, expected.length);
  return Array.from({ length: count }, (_, index) => {
    const turn = turns[index];
    const detail = turn === undefined ? "missing" : turnVerdict(turn);
    return { what: `turn ${index + 1}`, held: detail === expected[index], detail };
  });
}

function orphanCheck({ orphans, leftBehind }: Evidence): Check {
  const ended = leftBehind.length === 0 ? "" : `; ended by the recovery: ${leftBehind.join(", ")}`;
  if (orphans === undefined)
    return { what: "orphans", held: false, detail: "not known: there is no /proc here" };
  const none = orphans.length === 0;
  return {
    what: "orphans",
    held: none && leftBehind.length > 0,
    detail: none ? `none${ended}` : orphans.join(", "),
  };
}

function isRecovery(orphaned: SessionStatus, told: readonly SessionStatus[]): boolean {
  return orphaned === "recovering" && told.join() === "recovering,idle";
}

function isHostLost(turn: TurnRecord | undefined): boolean {
  return turn?.status === "failed" && turn.reason === "host-lost";
}

function isDense(stored: readonly AgentRuntimeEvent[]): boolean {
  return stored.every(({ seq }, index) => seq === index + 1);
}

function isStored(shown: readonly AgentRuntimeEvent[], stored: readonly AgentRuntimeEvent[]): boolean {
  const bySeq = new Map(stored.map((event) => [event.seq, JSON.stringify(event)]));
  return shown.length > 0 && shown.every((event) => bySeq.get(event.seq) === JSON.stringify(event));
}
