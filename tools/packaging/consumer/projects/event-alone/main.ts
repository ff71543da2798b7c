// What a page does: translates what an agent said, checks the events as they come from outside, and shows them.
import {
  type ProjectionSnapshot,
  type RawFrame,
  type RuntimeSnapshot,
  apply,
  emptyProjection,
  emptySnapshot,
  begin,
  finish,
  piAdapter,
  transcript,
  translate,
} from "@claxedo/agent-event-runtime";
import { parseEvent } from "@claxedo/agent-event-runtime/schema";

const said: readonly RawFrame[] = [
  { dir: "sent", payload: { type: "prompt", message: "hi" } },
  { dir: "received", payload: { type: "agent_start" } },
  { dir: "received", payload: { type: "message_start", message: { role: "assistant", content: [] } } },
  {
    dir: "received",
    payload: {
      type: "message_end",
      message: { role: "assistant", content: [{ type: "text", text: "hello" }] },
    },
  },
  { dir: "received", payload: { type: "agent_end", messages: [] } },
].map((frame, index) => ({ channel: "", at: index, ...frame }) as RawFrame);

let snapshot: RuntimeSnapshot = begin(piAdapter, emptySnapshot("s1"), 0).snapshot;
let view: ProjectionSnapshot = emptyProjection(transcript);
const texts: string[] = [];

function show(events: readonly unknown[]): void {
  for (const sent of events) {
    const event = parseEvent(JSON.parse(JSON.stringify(sent)));
    if (event === undefined) throw new Error(`no event: ${JSON.stringify(sent)}`);
    const applied = apply(transcript, view, event);
    view = applied.snapshot;
    for (const change of applied.output) if (change.type === "text") texts.push(change.text);
  }
}

for (const frame of said) {
  const step = translate(piAdapter, snapshot, frame);
  snapshot = step.snapshot;
  show(step.events);
}
show(finish(piAdapter, snapshot, "ended", said.length).events);
if (texts.at(-1) !== "hello") throw new Error(`shows ${JSON.stringify(texts)}`);
console.log(`${view.seq} events, shows "${texts.at(-1)}"`);
