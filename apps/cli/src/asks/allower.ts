import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import type { AgentRuntime } from "@claxedo/agent-sdk-runtime";
import { type Answerer, type Ask, handOver, isAsk, type Reply } from "./answerer.ts";

/** Allows, once each time, whatever the agent asks to do. Questions are refused: nobody reads them. */
export class Allower implements Answerer {
  readonly #runtime: AgentRuntime;
  readonly #tell: (text: string) => Promise<void>;
  #handing: Promise<void> = Promise.resolve();

  /** `tell`: says why a request could not be answered. */
  constructor(runtime: AgentRuntime, tell: (text: string) => Promise<void>) {
    this.#runtime = runtime;
    this.#tell = tell;
  }

  take(event: AgentRuntimeEvent): void {
    if (isAsk(event)) this.#handing = this.#handing.then(() => this.#answer(event));
  }

  stop(): Promise<void> {
    return this.#handing;
  }

  async #answer(ask: Ask): Promise<void> {
    const error = await handOver(this.#runtime, ask, standingReply(ask));
    if (error !== undefined) await this.#tell(error.message);
  }
}

function standingReply(ask: Ask): Reply {
  if (ask.type === "question.requested")
    return {
      refused: true,
      message: "Nobody reads questions here. Decide yourself, and say what you decided.",
    };
  const once = ask.options.find(({ effect, scope }) => effect === "allow" && scope === "once");
  if (once !== undefined) return { optionId: once.optionId };
  return {
    refused: true,
    message: "This cannot be allowed for one time, and more than that is not allowed here.",
  };
}
