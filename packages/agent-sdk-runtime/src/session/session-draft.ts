import {
  apply,
  begin,
  emit,
  finish,
  transcript,
  translate,
  type AgentRuntimeEvent,
  type EventAdapter,
  type EventDraft,
  type Json,
  type ProjectionSnapshot,
  type RawFrame,
  type RuntimeSnapshot,
  type Step,
  type TranscriptRow,
} from "@claxedo/agent-event-runtime";
import { consequences, fold, nextTurn } from "./session-machine.ts";
import type { AskRecord, SessionState, TurnRecord } from "./session-state.ts";

/** Everything about a session that moves forward together, one commit at a time. */
export interface SessionProgress {
  readonly snapshot: RuntimeSnapshot;
  readonly state: SessionState;
  readonly transcript: ProjectionSnapshot;
}

/** The next commit of a session while it is being put together. Pure: nothing outside it changes. */
export class SessionDraft {
  readonly #adapter: EventAdapter;
  readonly #now: number;
  readonly #turns = new Map<string, TurnRecord>();
  readonly #asks = new Map<string, AskRecord>();
  readonly #rows = new Map<string, TranscriptRow>();
  readonly #events: AgentRuntimeEvent[] = [];
  #progress: SessionProgress;
  #binding: Json | undefined;

  constructor(from: SessionProgress, adapter: EventAdapter, now: number) {
    this.#progress = from;
    this.#adapter = adapter;
    this.#now = now;
  }

  /** Where the session stands after this commit. */
  get progress(): SessionProgress {
    return this.#progress;
  }
  /** The state after what is drafted so far. */
  get state(): SessionState {
    return this.#progress.state;
  }
  /** The events of this commit, in order. */
  get events(): readonly AgentRuntimeEvent[] {
    return this.#events;
  }
  /** The turns that changed, whole. */
  get turns(): readonly TurnRecord[] {
    return [...this.#turns.values()];
  }
  /** The asks that changed, whole. */
  get asks(): readonly AskRecord[] {
    return [...this.#asks.values()];
  }
  /** The transcript rows that changed, whole. */
  get rows(): readonly TranscriptRow[] {
    return [...this.#rows.values()];
  }

  /** What the harness needs to resume, where this commit changes it. */
  get binding(): Json | undefined {
    return this.#binding;
  }

  /** Stores with this commit what the harness needs to resume. */
  bind(binding: Json): void {
    this.#binding = binding;
  }

  /** Translates a frame. */
  translate(frame: RawFrame): void {
    this.#take(translate(this.#adapter, this.#progress.snapshot, frame));
  }

  /** Says what the host has to say. */
  say(...drafts: readonly EventDraft[]): void {
    this.#take(emit(this.#progress.snapshot, drafts, this.#now));
  }

  /** Begins the next connection. */
  begin(): void {
    this.#take(begin(this.#adapter, this.#progress.snapshot, this.#now));
  }

  /** Closes what the connection left open. */
  finish(reason: "ended" | "lost"): void {
    this.#take(finish(this.#adapter, this.#progress.snapshot, reason, this.#now));
  }

  /** Adds what follows from all this: verdicts, statuses and, if wanted, the start of the next queued turn. */
  settle(options: { readonly startNext: boolean }): void {
    for (;;) {
      const due = consequences(this.state);
      const ended = due.some((draft) => draft.type === "turn.ended");
      const next = options.startNext && !ended ? nextTurn(this.state) : undefined;
      const drafts = next === undefined ? due : [next];
      if (drafts.length === 0) return;
      this.say(...drafts);
    }
  }

  #take(step: Step): void {
    let { state, transcript: view } = this.#progress;
    for (const event of step.events) {
      const folded = fold(state, event);
      state = folded.state;
      if (folded.turn !== undefined) this.#turns.set(folded.turn.turnId, folded.turn);
      if (folded.ask !== undefined) this.#asks.set(folded.ask.requestId, folded.ask);
      const applied = apply(transcript, view, event);
      view = applied.snapshot;
      for (const row of applied.output) this.#rows.set(row.rowId, row);
      this.#events.push(event);
    }
    this.#progress = { snapshot: step.snapshot, state, transcript: view };
  }
}
