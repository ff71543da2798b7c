import {
  apply,
  emptyProjection,
  restoreProjection,
  transcript,
  type AgentRuntimeEvent,
  type EventAdapter,
  type ProjectionSnapshot,
} from "@claxedo/agent-event-runtime";
import { Lane } from "../base/lane.ts";
import { Watchable } from "../base/watchable.ts";
import type { OwnedSession, SessionStore } from "../stores/session-store.ts";
import { SessionDraft, type SessionProgress } from "./session-draft.ts";
import type { SessionState } from "./session-state.ts";
import { commitDraft, type SessionWriter } from "./session-writer.ts";

/** What a log is opened with. */
export interface SessionLogOptions {
  readonly store: SessionStore;
  readonly owned: OwnedSession;
  readonly adapter: EventAdapter;
  readonly storeMs: number;
  readonly now: () => number;
}

/**
 * The one lane that advances a session. Each step is drafted on what is committed, committed whole, and
 * told only then. The first failure is final: nothing is accepted after it.
 */
export class SessionLog {
  /** Told of every commit, once it is durable, in order. */
  onCommitted: ((draft: SessionDraft) => void) | undefined;
  /** The last committed seq. */
  readonly head: Watchable<number>;
  readonly #options: SessionLogOptions;
  readonly #writer: SessionWriter;
  readonly #lane = new Lane();
  #progress: SessionProgress;
  #failure: Error | undefined;

  private constructor(options: SessionLogOptions, view: ProjectionSnapshot) {
    const { store, owned, storeMs } = options;
    this.#options = options;
    this.#writer = { store, sessionId: owned.session.id, epoch: owned.epoch, retryMs: storeMs };
    this.#progress = { snapshot: owned.snapshot, state: owned.session.state, transcript: view };
    this.head = new Watchable(owned.session.headSeq);
  }

  /** Opens the log of a session that this host owns, bringing its view up to date. */
  static async open(options: SessionLogOptions): Promise<SessionLog> {
    return new SessionLog(options, await currentTranscript(options.store, options.owned));
  }

  /** The committed state. */
  get state(): SessionState {
    return this.#progress.state;
  }
  /** What is committed. */
  get progress(): SessionProgress {
    return this.#progress;
  }

  /**
   * Drafts a step on the committed state, in order with all others, and commits it. Resolves once it is
   * durable and told; rejects, and ends the log, when it cannot be stored.
   */
  advance(
    step: (draft: SessionDraft) => void,
    options: { readonly startNext: boolean },
  ): Promise<SessionDraft> {
    return this.#lane.run(async () => {
      if (this.#failure !== undefined) throw this.#failure;
      const draft = new SessionDraft(this.#progress, this.#options.adapter, this.#options.now());
      step(draft);
      draft.settle(options);
      // A frame may say nothing and still move the adapter's state: it is kept for the next commit.
      if (draft.events.length > 0) await this.#commit(draft);
      this.#progress = draft.progress;
      if (draft.events.length > 0) this.#told(draft);
      return draft;
    });
  }

  async #commit(draft: SessionDraft): Promise<void> {
    try {
      await commitDraft(this.#writer, draft, this.head.value);
    } catch (error) {
      this.#failure = error as Error;
      throw error;
    }
  }

  #told(draft: SessionDraft): void {
    this.onCommitted?.(draft);
    this.head.set(draft.progress.snapshot.seq);
  }
}

/** The stored view, folded up to the head; from the start when it cannot be used. */
async function currentTranscript(store: SessionStore, owned: OwnedSession): Promise<ProjectionSnapshot> {
  const stored = await store.projection(owned.session.id, transcript.id);
  const restored = stored === undefined ? undefined : restoreProjection(transcript, stored);
  let view = restored?.ok ? restored.snapshot : emptyProjection(transcript);
  for (;;) {
    const events: readonly AgentRuntimeEvent[] = await store.events(owned.session.id, { after: view.seq });
    if (events.length === 0) return view;
    for (const event of events) view = apply(transcript, view, event).snapshot;
  }
}
