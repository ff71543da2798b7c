import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import { plainLine } from "./plain-text.ts";
import type { Paint } from "./style.ts";

/** Told in front, or, the vendor's own words, for programs only. */
const untold: ReadonlySet<string> = new Set("v seq sessionId time adapter frame type native".split(" "));

/** One event as one line: number, time (of day, unless `clock` tells it otherwise), type, and what it says in short. */
export function eventLine(
  event: AgentRuntimeEvent,
  paint: Paint,
  clock: (time: number) => string = timeOfDay,
): string {
  const facts = Object.entries(event).filter(([name, value]) => !untold.has(name) && value !== undefined);
  const said = plainLine(facts.map(([name, value]) => `${name}=${brief(value)}`).join(" "), 200);
  const seq = String(event.seq).padStart(5);
  return `${paint("dim", `${seq}  ${clock(event.time)}`)}  ${plainLine(event.type, 40).padEnd(20)}  ${said}`.trimEnd();
}

/** A time that counts from a beginning, in hours, minutes, seconds and milliseconds. */
export function elapsed(time: number): string {
  const date = new Date(time);
  return written(date, [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()]);
}

/** The time of day here, to the millisecond. */
function timeOfDay(time: number): string {
  const date = new Date(time);
  return written(date, [date.getHours(), date.getMinutes(), date.getSeconds()]);
}

function written(date: Date, hoursMinutesSeconds: readonly number[]): string {
  if (Number.isNaN(date.getTime())) return "??:??:??.???";
  const digits = hoursMinutesSeconds.map((number) => String(number).padStart(2, "0"));
  return `${digits.join(":")}.${String(date.getUTCMilliseconds()).padStart(3, "0")}`;
}

function brief(value: unknown): string {
  const bare = typeof value === "string" && /^[^\s"=]+$/.test(value);
  return bare ? plainLine(value, 80) : plainLine(JSON.stringify(value) ?? "", 80);
}
