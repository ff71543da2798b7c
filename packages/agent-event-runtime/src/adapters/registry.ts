import type { EventAdapter } from "../translation/event-adapter.ts";
import { claudeAdapter } from "./claude/adapter.ts";
import { piAdapter } from "./pi/adapter.ts";

/** The adapters that come with this package, each under its id. Any other object of the contract serves as well. */
export const adapters: ReadonlyMap<string, EventAdapter> = new Map<string, EventAdapter>([
  ["claude", claudeAdapter],
  ["pi", piAdapter],
]);
