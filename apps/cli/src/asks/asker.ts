import type { AgentRuntimeEvent, EventOf } from "@claxedo/agent-event-runtime";
import type { AgentRuntime } from "@claxedo/agent-sdk-runtime";
import type { Console } from "../host/console.ts";
import type { Keyboard } from "../host/keyboard.ts";
import type { PieceWriter } from "../host/piece-writer.ts";
import { plainText } from "../render/plain-text.ts";
import type { TurnRenderer } from "../render/turn-renderer.ts";
import { type Answerer, type Ask, handOver, isAsk, type Reply } from "./answerer.ts";
import { type AskingCall, permissionText, questionText } from "./prompt-text.ts";
import { readAnswer, readPermission, type Refusal, type TypedReply } from "./typed-reply.ts";

/** Where a person is asked. */
export interface AskingPlace {
  readonly console: Console;
  readonly keyboard: Keyboard;
  readonly writer: PieceWriter;
  readonly renderer: TurnRenderer;
}

/** Puts what the agent asks to the person at the terminal, one request after another. */
export class Asker implements Answerer {
  readonly #runtime: AgentRuntime;
  readonly #place: AskingPlace;
  readonly #calls = new Map<string, AskingCall>();
  /** Aborted when the request, by its id, needs no answer any more. */
  readonly #open = new Map<string, AbortController>();
  #plan: string | undefined;
  #asking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(runtime: AgentRuntime, place: AskingPlace) {
    this.#runtime = runtime;
    this.#place = place;
  }

  take(event: AgentRuntimeEvent): void {
    if (isAsk(event)) return this.#enqueue(event);
    switch (event.type) {
      case "tool.started":
        this.#calls.set(event.callId, event);
        return;
      case "tool.updated": {
        const call = this.#calls.get(event.callId);
        if (call !== undefined && event.input !== undefined)
          this.#calls.set(event.callId, { name: call.name, input: event.input });
        return;
      }
      case "tool.ended":
        this.#calls.delete(event.callId);
        return;
      case "plan.updated":
        this.#plan = event.text;
        return;
      case "permission.ended":
      case "question.ended":
        this.#close(event.requestId);
        return;
      default:
        return;
    }
  }

  stop(): Promise<void> {
    this.#stopped = true;
    for (const requestId of this.#open.keys()) this.#close(requestId);
    return this.#asking;
  }

  #close(requestId: string): void {
    this.#open.get(requestId)?.abort();
    this.#open.delete(requestId);
  }

  #enqueue(ask: Ask): void {
    if (this.#stopped) return;
    const gone = new AbortController();
    this.#open.set(ask.requestId, gone);
    this.#asking = this.#asking.then(() => this.#ask(ask, gone.signal));
  }

  /** Asks until there is an answer that is taken, or none is needed any more. */
  async #ask(ask: Ask, gone: AbortSignal): Promise<void> {
    if (gone.aborted) return;
    const { keyboard, writer, renderer } = this.#place;
    writer.hold();
    try {
      for (const piece of renderer.endLine()) await writer.writeNow(piece);
      await keyboard.discard();
      while (!gone.aborted && (await this.#askOnce(ask, gone)));
    } finally {
      await writer.release();
    }
  }

  /** Whether it must be asked again. */
  async #askOnce(ask: Ask, gone: AbortSignal): Promise<boolean> {
    const reply = await (ask.type === "permission.requested"
      ? this.#askPermission(ask, gone)
      : this.#askQuestions(ask, gone));
    const error = reply === undefined ? undefined : await handOver(this.#runtime, ask, reply);
    if (error === undefined) return false;
    await this.#say(`  ${plainText(error.message)}\n`);
    return error.code === "invalid-input";
  }

  async #askPermission(ask: EventOf<"permission.requested">, gone: AbortSignal): Promise<Reply | undefined> {
    const call = ask.callId === undefined ? undefined : this.#calls.get(ask.callId);
    const text = permissionText(ask, { call, plan: this.#plan }, this.#place.console.paint.err);
    const typed = await this.#prompt(text, (line) => readPermission(line, ask.options), gone);
    return typed === undefined || "refused" in typed ? typed : typed.answer;
  }

  async #askQuestions(
    { questions }: EventOf<"question.requested">,
    gone: AbortSignal,
  ): Promise<Reply | undefined> {
    const answers: (string | readonly string[])[] = [];
    for (const [index, question] of questions.entries()) {
      const place = { number: index + 1, of: questions.length };
      const text = questionText(question, place, this.#place.console.paint.err);
      const typed = await this.#prompt(text, (line) => readAnswer(line, question), gone);
      if (typed === undefined || "refused" in typed) return typed;
      answers.push(typed.answer);
    }
    return { answers };
  }

  /** What is typed below a text; `undefined` when it need not be known any more. */
  async #prompt<Answer>(
    text: string,
    read: (line: string) => TypedReply<Answer>,
    gone: AbortSignal,
  ): Promise<{ readonly answer: Answer } | Refusal | undefined> {
    for (let said = text; ;) {
      await this.#say(`${said}> `);
      const line = await this.#place.keyboard.line(gone);
      if (line === undefined) {
        await this.#say("\n");
        return gone.aborted ? undefined : { refused: true, message: "Nobody is there to answer any more." };
      }
      const typed = read(line);
      if (!("unclear" in typed)) return typed;
      said = `  ${typed.unclear}\n`;
    }
  }

  #say(text: string): Promise<void> {
    return this.#place.console.stderr.write(text);
  }
}
