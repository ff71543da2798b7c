import { settlesWithin, withDeadline } from "../base/deadline.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { HarnessOffer } from "../harness/harness.ts";
import { endMarked } from "../harness/process-registry.ts";
import type { HarnessLink } from "./harness-link.ts";
import type { SessionWork } from "./session-work.ts";

/** How long what a program left behind is asked to end, and then is waited for, in milliseconds. */
const LIMITS = { termMs: 500, killMs: 500 };

/** Asks what the harness of a session offers: the connection that is up, else a program of its own. */
export class OfferDesk {
  readonly #work: SessionWork;
  readonly #link: HarnessLink;
  readonly #closing = new AbortController();
  #asking: Promise<HarnessOffer> | undefined;

  constructor(work: SessionWork, link: HarnessLink) {
    this.#work = work;
    this.#link = link;
  }

  /** The offer. Those who ask at the same time share one answer. Rejects with `not-supported` where there is none. */
  ask(): Promise<HarnessOffer> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  /** Ends a program that is being asked. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    const asking = this.#asking;
    if (asking !== undefined && !(await settlesWithin(asking, graceMs))) await this.#cleanUp();
  }

  async #ask(): Promise<HarnessOffer> {
    const { harness, session, deadlines } = this.#work;
    const what = `Asking ${harness.id} what it offers`;
    const { connection } = this.#link;
    if (connection?.offer !== undefined) return withDeadline(connection.offer(), deadlines.writeMs, what);
    if (harness.offer === undefined)
      throw new AgentRuntimeError("not-supported", `${harness.id} does not tell what it offers.`);
    const giveUp = new AbortController();
    const signal = AbortSignal.any([giveUp.signal, this.#closing.signal]);
    const { directory } = session;
    try {
      const offer = harness.offer({ directory, owner: this.#owner, signal });
      return await withDeadline(offer, deadlines.connectMs, what);
    } finally {
      giveUp.abort();
      await this.#cleanUp();
    }
  }

  get #owner(): string {
    const { store, session } = this.#work;
    return `${store.storeId}.${store.hostId}.${session.id}_offer`;
  }

  async #cleanUp(): Promise<void> {
    await endMarked({ owner: (owner) => owner === this.#owner }, LIMITS);
  }
}
