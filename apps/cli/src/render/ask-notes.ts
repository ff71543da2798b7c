import type { AgentRuntimeEvent, EventOf } from "@claxedo/agent-event-runtime";
import { permissionLine, questionLine } from "./ask-text.ts";
import type { Note } from "./notes.ts";

type Asked = EventOf<"permission.requested" | "question.requested">;

/** Tells how each request of the agent ended. */
export class AskNotes {
  readonly #asked = new Map<string, Asked>();

  /** What there is to say about the next event. */
  noteOf(event: AgentRuntimeEvent): Note | undefined {
    switch (event.type) {
      case "permission.requested":
      case "question.requested":
        this.#asked.set(event.requestId, event);
        return undefined;
      case "permission.ended":
      case "question.ended":
        return this.#ended(event);
      default:
        return undefined;
    }
  }

  #ended(event: EventOf<"permission.ended" | "question.ended">): Note {
    const asked = this.#asked.get(event.requestId);
    this.#asked.delete(event.requestId);
    const line =
      event.type === "permission.ended"
        ? permissionLine(asked?.type === "permission.requested" ? asked.title : undefined, event)
        : questionLine(asked?.type === "question.requested" ? asked.questions : [], event);
    const refused = event.by === "policy";
    return { look: refused ? "yellow" : "dim", text: refused ? `${line}; see --permissions` : line };
  }
}
