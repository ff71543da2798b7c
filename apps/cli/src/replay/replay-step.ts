import type { RawFrame } from "@claxedo/agent-event-runtime";

/** One thing that a recording tells: a connection begins, a frame passes, the connection is over. */
export type ReplayStep =
  | { readonly do: "begin"; readonly at: number }
  | { readonly do: "frame"; readonly frame: RawFrame }
  | { readonly do: "finish"; readonly reason: "ended" | "lost"; readonly at: number };
