import type { AgentRuntimeEvent, EventOf, EventType, TranscriptRow } from "@claxedo/agent-event-runtime";
import { withDeadline } from "../../../src/base/deadline.ts";
import { AgentRuntimeError, type AgentRuntime, type Turn, type TurnResult } from "../../../src/index.ts";
import { DEADLINE_MS } from "./workplace.ts";

/** A session of a runtime, as a user's program holds it. */
export class RuntimeTalk {
  readonly runtime: AgentRuntime;
  readonly sessionId: string;

  constructor(runtime: AgentRuntime, sessionId: string) {
    this.runtime = runtime;
    this.sessionId = sessionId;
  }

  /** Starts a turn. */
  start(input: string): Promise<Turn> {
    return this.runtime.turns.start({ sessionId: this.sessionId, input });
  }

  /** The verdict of a turn. */
  settled({ settled }: Turn): Promise<TurnResult> {
    return withDeadline(settled, DEADLINE_MS, "The turn");
  }

  /** A turn from its start to its verdict. */
  async run(input: string): Promise<TurnResult> {
    return this.settled(await this.start(input));
  }

  /** Waits until the CLI has read what was sent: it reads in order, and answers this. */
  async caughtUp(): Promise<void> {
    await this.runtime.config.update(this.sessionId, { mode: "default" });
  }

  /** The first event of this type that fits, past or to come, after that seq. */
  async event<Type extends EventType>(
    type: Type,
    fits: (event: EventOf<Type>) => boolean = () => true,
    after = 0,
  ): Promise<EventOf<Type>> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const { sessionId } = this;
    for await (const event of this.runtime.events.subscribe({ sessionId, after, signal }))
      if (isOf(event, type) && fits(event)) return event;
    throw new Error(`In ${DEADLINE_MS} ms there was no ${type} of that kind.`);
  }

  /** Waits until the model has said this. */
  async saying(words: string): Promise<void> {
    await this.event("part.ended", ({ text }) => text === words);
  }

  /** All events so far. */
  events(): Promise<readonly AgentRuntimeEvent[]> {
    return this.runtime.events.list(this.sessionId, { limit: 100_000 });
  }

  /** All events of a type so far. */
  async all<Type extends EventType>(type: Type): Promise<readonly EventOf<Type>[]> {
    const events = await this.events();
    return events.filter((event) => isOf(event, type));
  }

  /** The rows of a kind that a person reads. */
  async rows<Type extends TranscriptRow["type"]>(
    type: Type,
  ): Promise<readonly Extract<TranscriptRow, { type: Type }>[]> {
    const { rows } = await this.runtime.messages.list(this.sessionId, { limit: 100_000 });
    return rows.filter((row): row is Extract<TranscriptRow, { type: Type }> => row.type === type);
  }

  /** What the main agent has said. */
  async said(): Promise<readonly string[]> {
    const rows = await this.rows("text");
    return rows.filter(({ agent }) => agent === undefined).map(({ text }) => text);
  }

  /** The next permission request, after that seq. */
  asked(after = 0): Promise<EventOf<"permission.requested">> {
    return this.event("permission.requested", () => true, after);
  }

  /** Answers by the first option of that effect and scope. */
  async answer(
    { requestId, options }: EventOf<"permission.requested">,
    effect: "allow" | "deny",
    scope: "once" | "session" | "always" = "once",
  ): Promise<void> {
    const option = options.find((each) => each.effect === effect && each.scope === scope);
    if (option === undefined) throw new Error(`There is no option to ${effect} ${scope}.`);
    const { sessionId } = this;
    await this.runtime.permissions.answer({ sessionId, requestId, optionId: option.optionId });
  }

  /** Allows whatever is asked for, from now on. */
  allowAll(): this {
    const allow = async (): Promise<void> => {
      for await (const event of this.runtime.events.subscribe({ sessionId: this.sessionId }))
        if (event.type === "permission.requested") await this.answer(event, "allow").catch(ignoreEnded);
    };
    void allow();
    return this;
  }
}

function ignoreEnded(error: unknown): void {
  if (!AgentRuntimeError.is(error) || error.code !== "ask-ended") throw error;
}

function isOf<Type extends EventType>(event: AgentRuntimeEvent, type: Type): event is EventOf<Type> {
  return event.type === type;
}
