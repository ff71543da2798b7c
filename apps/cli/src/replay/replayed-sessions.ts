import {
  type AgentRuntimeEvent,
  type EventAdapter,
  type RawFrame,
  type Router,
  type RuntimeSnapshot,
  type Step,
  begin,
  emptySnapshot,
  finish,
  singleSession,
  translate,
} from "@claxedo/agent-event-runtime";
import { type Account, nothing, withConnection, withEvents, withFrame } from "./account.ts";
import type { ReplayStep } from "./replay-step.ts";

/** One session of a recording: a stream of events with numbers of its own. */
export interface ReplayedSession {
  /** `session-1` for the first; the `sessionId` of its events. */
  readonly id: string;
  /** The harness's own names for it, as they became known. */
  readonly nativeIds: readonly string[];
  readonly account: Account;
}

/** Events of one session. */
export interface Telling {
  readonly session: ReplayedSession;
  readonly events: readonly AgentRuntimeEvent[];
}

interface Session extends ReplayedSession {
  nativeIds: readonly string[];
  account: Account;
  snapshot: RuntimeSnapshot;
  /** Whether it is part of the connection under way. */
  live: boolean;
}

/**
 * Translates the steps of a recording, each native session into a stream of its own. On a connection that
 * several share, the router tells whose a frame is. Where a process has one session, a process that names
 * another session than those before it opens another stream, and one that never names any goes on with the
 * last. Does no I/O.
 */
export class ReplayedSessions {
  readonly #adapter: EventAdapter;
  readonly #router: Router;
  readonly #sessions: Session[] = [];
  #routing: Router["initialState"];
  #beganAt = 0;
  /** Frames of a connection that has not named its session yet, and a translation of them to see whether it does. */
  #unnamed: { readonly frames: readonly RawFrame[]; readonly trial: RuntimeSnapshot } | undefined;

  constructor(adapter: EventAdapter, router: Router = singleSession) {
    this.#adapter = adapter;
    this.#router = router;
    this.#routing = router.initialState;
  }

  /** The sessions so far, in order of appearance. */
  get all(): readonly ReplayedSession[] {
    return this.#sessions;
  }

  /** Takes one step and answers what it tells of whom. */
  take(step: ReplayStep): readonly Telling[] {
    switch (step.do) {
      case "begin":
        this.#routing = this.#router.initialState;
        this.#beganAt = step.at;
        return [];
      case "frame":
        return this.#route(step.frame);
      case "finish":
        return this.#finish(step.reason, step.at);
    }
  }

  #route(frame: RawFrame): readonly Telling[] {
    const { state, deliveries } = this.#router.route(this.#routing, frame);
    this.#routing = state;
    return deliveries.flatMap(({ nativeSessionId, frame: routed }) =>
      nativeSessionId === undefined ? this.#toAll(routed) : this.#toNamed(nativeSessionId, routed),
    );
  }

  #toNamed(nativeId: string, frame: RawFrame): readonly Telling[] {
    const before = this.#assign(nativeId);
    const named = this.#sessions.find((session) => session.nativeIds.includes(nativeId));
    const session = named ?? this.#nameless() ?? this.#open();
    if (named === undefined) session.nativeIds = [...session.nativeIds, nativeId];
    return [...before, this.#translate(session, frame)];
  }

  #toAll(frame: RawFrame): readonly Telling[] {
    const live = this.#sessions.filter((session) => session.live);
    if (live.length > 0) return live.map((session) => this.#translate(session, frame));
    if (this.#sessions.length === 0) return [this.#translate(this.#open(), frame)];
    const { frames, trial } = this.#unnamed ?? { frames: [], trial: emptySnapshot("trial") };
    const { snapshot, events } = translate(this.#adapter, trial, frame);
    this.#unnamed = { frames: [...frames, frame], trial: snapshot };
    const nativeId = nativeIdsIn(events)[0];
    return nativeId === undefined ? [] : this.#assign(nativeId);
  }

  /** Hands what was held to the session of that name, or without a name to the last. */
  #assign(nativeId?: string): readonly Telling[] {
    const { frames } = this.#unnamed ?? { frames: [] };
    this.#unnamed = undefined;
    if (frames.length === 0) return [];
    const session =
      nativeId === undefined
        ? this.#sessions.at(-1)
        : (this.#sessions.find((known) => known.nativeIds.includes(nativeId)) ?? this.#nameless());
    const owner = session ?? this.#open();
    return frames.map((frame) => this.#translate(owner, frame));
  }

  #finish(reason: "ended" | "lost", at: number): readonly Telling[] {
    const before = this.#assign();
    const live = this.#sessions.filter((session) => session.live);
    const ends = live.map((session) => {
      const telling = this.#advance(session, finish(this.#adapter, session.snapshot, reason, at));
      session.account = withConnection(session.account, session.snapshot);
      session.live = false;
      return telling;
    });
    return [...before, ...ends];
  }

  #translate(session: Session, frame: RawFrame): Telling {
    const started = session.live ? undefined : begin(this.#adapter, session.snapshot, this.#beganAt);
    session.live = true;
    if (frame.kind !== "quiet") session.account = withFrame(session.account);
    const step = translate(this.#adapter, started?.snapshot ?? session.snapshot, frame);
    return this.#advance(session, { ...step, events: [...(started?.events ?? []), ...step.events] });
  }

  #advance(session: Session, { snapshot, events }: Step): Telling {
    session.snapshot = snapshot;
    session.account = withEvents(session.account, events);
    const news = nativeIdsIn(events).filter((id) => !session.nativeIds.includes(id));
    session.nativeIds = [...session.nativeIds, ...news];
    return { session, events };
  }

  #nameless(): Session | undefined {
    return this.#sessions.findLast((session) => session.nativeIds.length === 0);
  }

  #open(): Session {
    const id = `session-${this.#sessions.length + 1}`;
    const session: Session = {
      id,
      nativeIds: [],
      account: nothing,
      snapshot: emptySnapshot(id),
      live: false,
    };
    this.#sessions.push(session);
    return session;
  }
}

function nativeIdsIn(events: readonly AgentRuntimeEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "harness.updated" ? [event.nativeSessionId] : []));
}
