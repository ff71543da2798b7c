import { claudeAdapter, type RawFrame } from "@claxedo/agent-event-runtime";
import { frame, play } from "@claxedo/agent-event-runtime/testing";
import { withDeadline } from "../../../src/base/deadline.ts";
import { Watchable } from "../../../src/base/watchable.ts";
import type { ClaudeMessage, ClaudeSession, LiveState } from "../../../src/live/index.ts";
import { readMessage } from "../../../src/live/messages.ts";
import { expectBalanced } from "./endings.ts";
import { DEADLINE_MS } from "./workplace.ts";

/** A live session, and all that went over its wire. */
export class LiveTalk {
  /** Every message of the CLI so far. */
  readonly received: ClaudeMessage[] = [];
  readonly #frames: RawFrame[] = [];
  readonly #count = new Watchable(0);
  #session: ClaudeSession | undefined;

  /** Keeps a frame; the tap of the session. */
  take(raw: RawFrame): void {
    this.#frames.push(raw);
    const message = "payload" in raw && raw.dir === "received" ? readMessage(raw.payload) : undefined;
    if (message !== undefined) this.#count.set(this.received.push(message));
  }

  begin(session: ClaudeSession): this {
    this.#session = session;
    return this;
  }

  get session(): ClaudeSession {
    if (this.#session === undefined) throw new Error("The session has not begun.");
    return this.#session;
  }

  /** The first message that fits, past or to come. */
  async message(what: string, fits: (message: ClaudeMessage) => boolean): Promise<ClaudeMessage> {
    const found = this.#count.until(() => this.received.some(fits));
    await withDeadline(found, DEADLINE_MS, `Waiting for ${what}`);
    return this.received.find(fits) as ClaudeMessage;
  }

  /** The state once it passes the test. */
  state(what: string, fits: (state: LiveState) => boolean): Promise<LiveState> {
    const look = async (): Promise<LiveState> => {
      for await (const state of this.session.stateChanges) if (fits(state)) return state;
      throw new Error(`The session ended without ${what}.`);
    };
    return withDeadline(look(), DEADLINE_MS, `Waiting for ${what}`);
  }

  /** The session's id, once it is named. */
  async sessionId(): Promise<string> {
    return (await this.session.info({ timeoutMs: DEADLINE_MS })).sessionId;
  }

  /** Closes the session, if it has begun. */
  async close(): Promise<void> {
    await this.#session?.close();
  }

  /** What went over the wire is a story without loose ends, as the adapter of this dialect reads it. */
  expectBalanced(expected: readonly string[]): void {
    const end = { do: "finish", reason: "ended", at: Date.now() } as const;
    expectBalanced(play(claudeAdapter, [...this.#frames.map(frame), end]).events, expected);
  }
}
