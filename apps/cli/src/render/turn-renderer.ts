import type { AgentRuntimeEvent, EventOf } from "@claxedo/agent-event-runtime";
import { AskNotes } from "./ask-notes.ts";
import { noteOf } from "./notes.ts";
import { duration } from "./names.ts";
import { PartText } from "./part-text.ts";
import type { Piece } from "./piece.ts";
import { plainLine, plainText } from "./plain-text.ts";
import type { Look, Paint } from "./style.ts";
import { type ToolCall, toolCall, toolMark, toolName, toolRemark } from "./tool-line.ts";

type PartEvent = EventOf<"message.delta" | "part.ended">;

/** How the two streams look. */
export interface TurnLooks {
  /** On a terminal a tool call shows when it begins; in a log it is one line, written when it ends. */
  readonly live: boolean;
  readonly out: Paint;
  readonly err: Paint;
}

/** Tells one turn to a person, event by event: what to write for each. Does no I/O. */
export class TurnRenderer {
  readonly #looks: TurnLooks;
  readonly #parts = new Map<string, PartText>();
  readonly #users = new Set<string>();
  readonly #calls = new Map<string, ToolCall>();
  readonly #asks = new AskNotes();
  /** Whether the next character is the first of its line. */
  #fresh = true;
  /** The call whose beginning stands on the last line. */
  #begun: string | undefined;
  #queuedAt: number | undefined;
  #model: string | undefined;

  constructor(looks: TurnLooks, model?: string) {
    this.#looks = looks;
    this.#model = model;
  }

  /** What to write for the next event of the turn. */
  render(event: AgentRuntimeEvent): readonly Piece[] {
    if (event.replayed) return [];
    switch (event.type) {
      case "turn.queued":
        this.#queuedAt = event.time;
        return [];
      case "message.started":
        if (event.role !== "assistant") this.#users.add(event.messageId);
        return [];
      case "message.delta":
        return this.#isForReader(event) ? this.#write(this.#part(event).delta(event.text)) : [];
      case "part.ended":
        return this.#isForReader(event) ? this.#partEnded(event) : [];
      case "message.ended":
        return [...this.#endText(), ...this.#modelOf(event.model)];
      case "session.updated":
        return this.#modelOf(event.model);
      case "tool.started":
      case "tool.updated":
        return this.#toolNews(event);
      case "tool.ended":
        return this.#toolEnded(event);
      case "plan.updated":
        return this.#beside(`${plainText(event.text).trimEnd()}\n`);
      case "turn.ended":
        return this.#turnEnded(event);
      default: {
        const note = this.#asks.noteOf(event) ?? noteOf(event);
        return note === undefined ? [] : this.note(note.look, note.text);
      }
    }
  }

  /** A subagent's words are for the agent that asked for them, and thoughts for nobody. */
  #isForReader(event: PartEvent): boolean {
    return event.kind === "text" && !this.#users.has(event.messageId) && !isSubagent(event);
  }

  #part(event: PartEvent): PartText {
    const id = partKey(event);
    const part = this.#parts.get(id) ?? new PartText();
    this.#parts.set(id, part);
    return part;
  }

  #partEnded(event: EventOf<"part.ended">): readonly Piece[] {
    const { text, anew } = this.#part(event).end(event.text);
    this.#parts.delete(partKey(event));
    return anew ? [...this.#line(), ...this.#write(text)] : this.#write(text);
  }

  #toolNews(event: EventOf<"tool.started" | "tool.updated">): readonly Piece[] {
    const known = this.#calls.get(event.callId);
    if (known === undefined && event.type === "tool.updated") return [];
    const call = toolCall(known, event);
    this.#calls.set(event.callId, call);
    const begins = this.#looks.live && known?.title === undefined && call.title !== undefined;
    if (!begins || isSubagent(event)) return [];
    const pieces = [...this.#line(), out(`● ${toolName(call, this.#looks.out)}`)];
    this.#fresh = false;
    this.#begun = event.callId;
    return pieces;
  }

  #toolEnded(event: EventOf<"tool.ended">): readonly Piece[] {
    const call = this.#calls.get(event.callId) ?? { name: "tool" };
    this.#calls.delete(event.callId);
    const { out: paint } = this.#looks;
    const mark = toolMark(event.outcome, paint);
    const remark = paint("dim", toolRemark(event));
    const onItsLine = this.#begun === event.callId;
    const indent = isSubagent(event) ? "  " : "";
    const text = onItsLine ? ` ${mark}${remark}\n` : `${indent}${mark} ${toolName(call, paint)}${remark}\n`;
    const before = onItsLine ? [] : this.#line();
    this.#begun = undefined;
    this.#fresh = true;
    return [...before, out(text)];
  }

  #turnEnded(event: EventOf<"turn.ended">): readonly Piece[] {
    const { err } = this.#looks;
    const took = this.#queuedAt === undefined ? "" : ` in ${duration(event.time - this.#queuedAt)}`;
    const cause = event.error === undefined ? event.reason : plainLine(event.error.message, 2_000);
    const verdict = {
      completed: `${err("green", "✓")} ${err("dim", `completed${took}`)}`,
      failed: `${err("red", "✗")} failed${took}: ${cause}`,
      cancelled: `${err("yellow", "–")} cancelled${took}`,
    }[event.outcome];
    return [...this.#line(), { to: "err", text: `${verdict}\n` }];
  }

  #modelOf(model: string | undefined): readonly Piece[] {
    if (model === undefined || model === this.#model) return [];
    this.#model = model;
    return this.note("dim", `model ${plainLine(model, 120)}`);
  }

  /** What to write to say something about the turn that is no event of it. */
  note(look: Look, text: string): readonly Piece[] {
    return this.#beside(`${this.#looks.err(look, `· ${text}`)}\n`);
  }

  /** What to write before anything else is written to the terminal. In a file or a pipe the two streams do not meet. */
  endLine(): readonly Piece[] {
    return this.#looks.live ? this.#line() : [];
  }

  #beside(text: string): readonly Piece[] {
    return [...this.endLine(), { to: "err", text }];
  }

  #write(text: string): readonly Piece[] {
    if (text === "") return [];
    const before = this.#begun === undefined ? [] : this.#line();
    this.#fresh = text.endsWith("\n");
    return [...before, out(text)];
  }

  /** Ends the line that is open, unless a tool call's outcome is to stand on it. */
  #endText(): readonly Piece[] {
    return this.#begun === undefined ? this.#line() : [];
  }

  /** Ends the line that is open. */
  #line(): readonly Piece[] {
    this.#begun = undefined;
    if (this.#fresh) return [];
    this.#fresh = true;
    return [out("\n")];
  }
}

function out(text: string): Piece {
  return { to: "out", text };
}

function partKey({ messageId, partId }: PartEvent): string {
  return `${messageId}\n${partId}`;
}

function isSubagent(event: AgentRuntimeEvent): boolean {
  return event.agent !== undefined && event.agent.length > 0;
}
