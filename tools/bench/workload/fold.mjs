// Translation and projection as loops, which is what a host does with them.
import {
  apply,
  begin,
  createNdjsonDecoder,
  emptyProjection,
  emptySnapshot,
  finish,
  transcript,
  translate,
} from "@claxedo/agent-event-runtime";

/** @typedef {import("@claxedo/agent-event-runtime").EventAdapter} EventAdapter */
/** @typedef {import("@claxedo/agent-event-runtime").AgentRuntimeEvent} AgentRuntimeEvent */
/** @typedef {import("@claxedo/agent-event-runtime").RuntimeSnapshot} RuntimeSnapshot */
/** @typedef {import("@claxedo/agent-event-runtime").RawFrame} RawFrame */
/** @typedef {import("./parts.mjs").Part} Part */

/** A step of a session with its bytes already read. @typedef {{ readonly frame: RawFrame } | { readonly restart: number }} Step */

/** Reads the bytes of a recording and translates its frames. @param {EventAdapter} adapter @param {readonly Part[]} parts */
export function translateBytes(adapter, parts) {
  const decoder = createNdjsonDecoder();
  let snapshot = emptySnapshot("session");
  let events = 0;
  const take = (/** @type {import("@claxedo/agent-event-runtime").Step} */ step) => {
    snapshot = step.snapshot;
    events += step.events.length;
  };
  for (const part of parts) {
    if ("bytes" in part)
      for (const frame of decoder.push(part.bytes, part.at)) take(translate(adapter, snapshot, frame));
    else if ("frame" in part) take(translate(adapter, snapshot, part.frame));
    else {
      take(finish(adapter, snapshot, "lost", part.restart));
      take(begin(adapter, snapshot, part.restart));
    }
  }
  take(finish(adapter, snapshot, "ended", 0));
  return events;
}

/** The floor of that: split the same bytes, decode, parse. @param {readonly Part[]} parts */
export function parseBytes(parts) {
  let frames = 0;
  for (const part of parts) if ("bytes" in part) frames += parseLines(part.bytes);
  return frames;
}

/** @param {Buffer} bytes */
function parseLines(bytes) {
  let frames = 0;
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    if (parses(bytes.toString("utf8", start, end))) frames += 1;
    start = end + 1;
  }
  return frames;
}

/** Some recordings hold lines that are no JSON. @param {string} line */
function parses(line) {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** The recording with its bytes read. @param {readonly Part[]} parts @returns {readonly Step[]} */
export function stepsOf(parts) {
  const decoder = createNdjsonDecoder();
  /** @type {Step[]} */
  const steps = [];
  for (const part of parts) {
    if ("bytes" in part) for (const frame of decoder.push(part.bytes, part.at)) steps.push({ frame });
    else steps.push(part);
  }
  return steps;
}

/**
 * Translates the steps.
 * @param {EventAdapter} adapter @param {readonly Step[]} steps @param {RuntimeSnapshot} [from]
 * @param {AgentRuntimeEvent[]} [into] where the events go; they are dropped without it
 */
export function translateSteps(adapter, steps, from = emptySnapshot("session"), into) {
  let snapshot = from;
  for (const step of steps) {
    const taken =
      "frame" in step
        ? translate(adapter, snapshot, step.frame)
        : restarted(adapter, finish(adapter, snapshot, "lost", step.restart), step.restart);
    snapshot = taken.snapshot;
    into?.push(...taken.events);
  }
  return snapshot;
}

/** @param {EventAdapter} adapter @param {import("@claxedo/agent-event-runtime").Step} lost @param {number} at */
function restarted(adapter, lost, at) {
  const begun = begin(adapter, lost.snapshot, at);
  return { snapshot: begun.snapshot, events: [...lost.events, ...begun.events] };
}

/** Applies the events to the transcript. @param {readonly AgentRuntimeEvent[]} events */
export function project(events) {
  let view = emptyProjection(transcript);
  let rows = 0;
  for (const event of events) {
    const applied = apply(transcript, view, event);
    view = applied.snapshot;
    rows += applied.output.length;
  }
  return rows;
}
