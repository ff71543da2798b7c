import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";

/** The agent's last word in a turn, put together from the events: the text of its last message that has any. */
export class FinalText {
  #messageId: string | undefined;
  /** The parts of the message under way, in order. */
  #parts = new Map<string, string>();
  /** What the messages before it said last. */
  #text = "";

  /** Takes the next event of the turn. */
  add(event: AgentRuntimeEvent): void {
    if (event.agent !== undefined && event.agent.length > 0) return;
    if (event.type === "message.started") {
      this.#text = this.text;
      this.#messageId = event.role === "assistant" ? event.messageId : undefined;
      this.#parts = new Map();
    } else if (event.type === "message.delta" && event.kind === "text") {
      this.#put(event.messageId, event.partId, (before) => before + event.text);
    } else if (event.type === "part.ended" && event.kind === "text") {
      this.#put(event.messageId, event.partId, () => event.text);
    }
  }

  /** The text so far. */
  get text(): string {
    const said = [...this.#parts.values()].join("\n");
    return said === "" ? this.#text : said;
  }

  #put(messageId: string, partId: string, change: (before: string) => string): void {
    if (messageId === this.#messageId) this.#parts.set(partId, change(this.#parts.get(partId) ?? ""));
  }
}
