import assert from "node:assert/strict";
import {
  type AgentRuntimeEvent,
  type EventOf,
  type EventType,
  type RawFrame,
  type RuntimeSnapshot,
  type WireFrame,
  emptySnapshot,
  finish,
  translate,
} from "@claxedo/agent-event-runtime";
import { withDeadline } from "../base/deadline.ts";
import type { AskAnswer, Harness } from "../harness/harness.ts";
import type { HarnessConnection } from "../harness/harness-connection.ts";

/** What the harness asks. */
export type AskRequest = EventOf<"permission.requested"> | EventOf<"question.requested">;

/** A part of what the agent said: the whole, and the pieces that told it. */
export interface SaidPart {
  readonly text: string;
  readonly pieces: readonly string[];
}

/** A host in small: says what it intends, writes, reads and translates. Every wait has a deadline. */
export class HarnessTalk {
  readonly connection: HarnessConnection;
  /** Every event so far. */
  readonly said: AgentRuntimeEvent[] = [];
  /** Every frame that was written, as JSON. */
  wrote = "";
  readonly #adapter: Harness["adapter"];
  readonly #patienceMs: number;
  #snapshot: RuntimeSnapshot = emptySnapshot("conformance");
  #inputs = 0;
  #looked = 0;

  constructor(harness: Harness, connection: HarnessConnection, patienceMs: number) {
    this.connection = connection;
    this.#adapter = harness.adapter;
    this.#patienceMs = patienceMs;
  }

  /** Hands a prompt over, with what was said before if there is that; answers the id of its input. */
  async send(text: string, handover?: string): Promise<string> {
    this.#inputs += 1;
    const inputId = `input-${this.#inputs}`;
    const turnId = `turn-${this.#inputs}`;
    const parts = [{ type: "text", text }] as const;
    const before = handover === undefined ? undefined : { handover };
    await this.write(this.connection.prompt({ turnId, inputId, parts, ...before }));
    return inputId;
  }

  /** Answers a request. */
  async answer(
    request: AskRequest,
    answer: AskAnswer["answer"],
    by: AskAnswer["by"] = "user",
  ): Promise<void> {
    await this.write(this.answerFrame(request, answer, by));
  }

  /** Makes the frame of an answer. */
  answerFrame(request: AskRequest, answer: AskAnswer["answer"], by: AskAnswer["by"] = "user"): WireFrame {
    const { requestId, native } = request;
    const frame = this.connection.answer?.({ requestId, native, by, answer });
    assert.ok(frame !== undefined, "the connection takes no answers");
    return frame;
  }

  /** Asks the harness to stop. */
  interrupt(): Promise<void> {
    return this.write(this.connection.interrupt());
  }

  /** Translates a frame, then writes it. */
  async write(frame: WireFrame): Promise<void> {
    this.take([frame]);
    this.wrote += JSON.stringify(frame.payload);
    await withDeadline(this.connection.write(frame), this.#patienceMs, "Writing a frame");
  }

  /** Reads until there is an event of that type that fits, or fails when the connection is over before. */
  async until<Type extends EventType>(
    type: Type,
    fits: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    for (;;) {
      while (this.#looked < this.said.length) {
        const event = this.said[this.#looked];
        this.#looked += 1;
        if (event !== undefined && isOf(event, type) && fits(event)) return event;
      }
      const frames = await this.read(`Waiting for ${type}`);
      assert.ok(frames !== undefined, `the connection was over before ${type}`);
    }
  }

  /** Reads until these inputs, and every run so far, have ended. */
  async untilQuiet(...inputIds: readonly string[]): Promise<void> {
    const open = (): boolean =>
      inputIds.some((id) => !this.all("input.ended").some(({ inputId }) => inputId === id)) ||
      this.all("run.started").length > this.all("run.ended").length;
    while (open()) assert.ok((await this.read("Waiting for the end of the work")) !== undefined);
  }

  /** Hands a prompt over and reads until its run has ended. */
  async run(text: string): Promise<EventOf<"run.ended">> {
    const inputId = await this.send(text);
    const { runId } = await this.until("input.joined", (event) => event.inputId === inputId);
    return this.until("run.ended", (event) => event.runId === runId);
  }

  /** Reads to the end of the connection. */
  async drain(): Promise<void> {
    while ((await this.read("Reading to the end of the connection")) !== undefined);
  }

  /** Reads and translates what has come. */
  async read(what: string): Promise<readonly RawFrame[] | undefined> {
    const frames = await withDeadline(this.connection.read(), this.#patienceMs, what);
    this.take(frames ?? []);
    return frames;
  }

  /** Closes the connection within its grace. */
  close(graceMs: number = Math.min(1_000, this.#patienceMs)): Promise<void> {
    return withDeadline(this.connection.close(graceMs), graceMs + this.#patienceMs, "Closing the connection");
  }

  /** Every event of a type so far. */
  all<Type extends EventType>(type: Type): readonly EventOf<Type>[] {
    return this.said.filter((event) => isOf(event, type));
  }

  /** What the agent has said, each part with the pieces that it came in. */
  get parts(): readonly SaidPart[] {
    const own = new Set(
      this.all("message.started").flatMap(({ role, messageId }) => (role === "assistant" ? [messageId] : [])),
    );
    const parts = new Map<string, { text: string; pieces: string[] }>();
    for (const event of this.said) {
      if (event.type !== "message.delta" && event.type !== "part.ended") continue;
      if (event.kind !== "text" || !own.has(event.messageId)) continue;
      const part = parts.get(event.partId) ?? { text: "", pieces: [] };
      parts.set(event.partId, part);
      if (event.type === "message.delta") part.pieces.push(event.text);
      part.text = event.type === "message.delta" ? part.text + event.text : event.text;
    }
    return [...parts.values()];
  }

  /** Ends the story, and checks that the adapter made no fault in it and that nothing is left open. */
  finish(): void {
    const ended = finish(this.#adapter, this.#snapshot, "ended", Date.now());
    this.#snapshot = ended.snapshot;
    this.said.push(...ended.events);
    const faults = this.all("diagnostic").filter(({ code }) => code.startsWith("adapter."));
    assert.deepEqual([faults, ended.snapshot.open], [[], []]);
  }

  take(frames: readonly RawFrame[]): void {
    for (const frame of frames) {
      const step = translate(this.#adapter, this.#snapshot, frame);
      this.#snapshot = step.snapshot;
      this.said.push(...step.events);
    }
  }
}

function isOf<Type extends EventType>(event: AgentRuntimeEvent, type: Type): event is EventOf<Type> {
  return event.type === type;
}
