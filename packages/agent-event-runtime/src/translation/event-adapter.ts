import type { Json } from "../base/json.ts";
import type { EventDraft } from "../event/agent-runtime-event.ts";
import type { InputPart } from "../event/event-values.ts";
import type { OpenKind } from "./open-items.ts";

/** What only the host knows about a frame it sent. */
export interface FrameNote {
  readonly inputId?: string;
  /** What the user handed in, where the frame holds more: a transcript handed over stands before it. */
  readonly parts?: readonly InputPart[];
  readonly requestId?: string;
  readonly by?: "user" | "policy";
  readonly scope?: "once" | "session" | "always";
}

/** A value on the wire between host and harness, in either direction. */
export interface WireFrame {
  readonly dir: "received" | "sent";
  /** Which stream of the connection it came on; `""` when there is one. `history` holds a harness's own record. */
  readonly channel: string;
  readonly method?: string;
  readonly payload: unknown;
  /** Milliseconds since the epoch, stamped once by the side that did the I/O. */
  readonly at: number;
  readonly note?: FrameNote;
}

/** A line that framing could not make a value of. `text` is capped, `bytes` counts the whole line. */
export interface BrokenFrame {
  readonly kind: "broken";
  readonly text: string;
  readonly bytes: number;
  readonly reason: string;
  readonly at: number;
}

/** Nothing came for a while, for dialects that pronounce a verdict by silence. */
export interface QuietFrame {
  readonly kind: "quiet";
  readonly forMs: number;
  readonly at: number;
}

/** A sent frame that was committed but could not be written. */
export interface UnsentFrame {
  readonly kind: "unsent";
  readonly frame: WireFrame;
  readonly reason: string;
  readonly at: number;
}

/** Everything translation reads. */
export type RawFrame = (WireFrame & { readonly kind?: undefined }) | BrokenFrame | QuietFrame | UnsentFrame;

/** What an adapter may know beyond its state. */
export interface AdapterContext {
  /** Index of this frame over the session's whole life: the source of positional ids. */
  readonly frame: number;
  readonly time: number;
  /**
   * Which connection of the session this is, from 1. From the second on, the translator puts `c<n>.`
   * before every id that an adapter makes or asks about, except those of inputs: adapters never do.
   */
  readonly connection: number;
  /** Whether an item of that id is open. */
  isOpen(kind: OpenKind, id: string): boolean;
  /** Whether an item of that id ended lately (the last 64 ended ids are remembered). */
  wasEnded(kind: OpenKind, id: string): boolean;
}

/** The result of a reduction: the next state, and what happened, in order. */
export interface Reduction<State> {
  readonly state: State;
  readonly events: readonly EventDraft[];
}

/**
 * Translates one harness's frames into canonical events: a pure fold over JSON state. It reads no
 * clock and makes no random ids; ids are the vendor's where those are unique, else positional.
 * Every frame is answered by events, is one of the dialect's known silent kinds, or gives a diagnostic.
 */
export interface EventAdapter<State extends Json = Json> {
  readonly id: string;
  readonly stateVersion: number;
  readonly initialState: State;
  /** The stored state as this version's, or `undefined` when it cannot be used. */
  parseState(value: Json, version: number): State | undefined;
  reduce(state: State, frame: RawFrame, context: AdapterContext): Reduction<State>;
  /** What only the adapter knows at the end: a pending verdict, a partial text. The translator closes the rest. */
  finish?(state: State, reason: "ended" | "lost", context: AdapterContext): Reduction<State>;
}
