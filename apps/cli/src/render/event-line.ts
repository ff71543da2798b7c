import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import { plainLine } from "./plain-text.ts";
import type { Paint } from "./style.ts";

const envelope: ReadonlySet<string> = new Set(["v", "seq", "sessionId", "time", "adapter", "frame", "type"]);

/** One event as one line: number, time of day, type, and what it says in short. */
export function eventLine(event: AgentRuntimeEvent, paint: Paint): string {
  const facts = Object.entries(event).filter(([name, value]) => !envelope.has(name) && value !== undefined);
  const said = plainLine(facts.map(([name, value]) => `${name}=${brief(value)}`).join(" "), 200);
  const seq = String(event.seq).padStart(5);
  return `${paint("dim", `${seq}  ${timeOfDay(event.time)}`)}  ${plainLine(event.type, 40).padEnd(18)}  ${said}`.trimEnd();
}

/** The time of day here, to the millisecond. */
function timeOfDay(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "??:??:??.???";
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits);
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

function brief(value: unknown): string {
  const bare = typeof value === "string" && /^[^\s"=]+$/.test(value);
  return bare ? plainLine(value, 80) : plainLine(JSON.stringify(value) ?? "", 80);
}
