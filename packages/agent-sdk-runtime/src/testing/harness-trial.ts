import assert from "node:assert/strict";
import type { Json } from "@claxedo/agent-event-runtime";
import { withDeadline } from "../base/deadline.ts";
import type { ConnectRequest, HarnessOffer, OfferRequest } from "../harness/harness.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";
import type { HarnessPrompts, HarnessStage, HarnessSupports } from "./harness-subject.ts";
import { HarnessTalk } from "./harness-talk.ts";

/** One promise of the contract, checked on a new stage. */
export interface HarnessCase {
  readonly id: string;
  readonly title: string;
  /** Left out for harnesses that do not support all of these. */
  readonly needs?: readonly (keyof HarnessSupports)[];
  /** Left out for harnesses without this prompt. */
  readonly prompt?: keyof HarnessPrompts;
  readonly check: (trial: HarnessTrial) => Promise<void>;
}

/** What may be asked for when connecting. */
export interface Connecting {
  readonly binding?: Json;
  readonly model?: string;
  readonly mode?: string;
  readonly directory?: string;
  readonly signal?: AbortSignal;
}

/** A new stage for one case, which closes every connection. */
export class HarnessTrial {
  readonly stage: HarnessStage;
  readonly prompts: HarnessPrompts;
  readonly supports: HarnessSupports;
  readonly patienceMs: number;
  readonly #connections: HarnessConnection[] = [];

  constructor(stage: HarnessStage, prompts: HarnessPrompts, supports: HarnessSupports, patienceMs: number) {
    this.stage = stage;
    this.prompts = prompts;
    this.supports = supports;
    this.patienceMs = patienceMs;
  }

  /** Starts the harness. */
  async connect(how: Connecting = {}): Promise<HarnessTalk> {
    const { harness, directory, model } = this.stage;
    const request: ConnectRequest = {
      sessionId: "conformance",
      directory,
      owner: `conformance.${process.pid}.session_${this.#connections.length + 1}`,
      signal: new AbortController().signal,
      ...(model === undefined ? undefined : { model }),
      ...how,
    };
    const connection = await withDeadline(
      harness.connect(request),
      this.patienceMs,
      `Starting ${harness.id}`,
      { onLate: (late) => void late.close(0) },
    );
    this.#connections.push(connection);
    return new HarnessTalk(harness, connection, this.patienceMs);
  }

  /** What the harness offers, asked of a program of its own. */
  async offer(how: Partial<OfferRequest> = {}): Promise<HarnessOffer> {
    const { harness, directory } = this.stage;
    assert.ok(harness.offer !== undefined, "it has no offer");
    const owner = `conformance.${process.pid}.session_offer`;
    const { signal } = new AbortController();
    const offer = harness.offer({ directory, owner, signal, ...how });
    return withDeadline(offer, this.patienceMs, "Asking for the offer");
  }

  /** Closes what is open. A connection that cannot be closed is a case's to find, and is left. */
  async end(): Promise<void> {
    const closing = this.#connections.map((one) =>
      withDeadline(one.close(1_000), 1_000 + this.patienceMs, "Closing"),
    );
    await Promise.allSettled(closing);
    await this.stage.remove?.();
  }
}
