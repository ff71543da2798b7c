// A host whose store is on a disk that fills up in the middle of a turn; prints what became of it as JSON.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { pi } from "@claxedo/agent-sdk-runtime/harnesses";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";

const folder = process.argv[2];
const filler = join(folder, "disk", "filler");
const runtime = createAgentRuntime({
  store: sqliteStore({ path: join(folder, "disk", "store.db") }),
  harnesses: [pi({ agentDir: join(folder, "agent"), sessionDir: join(folder, "pi-sessions") })],
  deadlines: { storeMs: 1_000 },
});
const session = await runtime.sessions.create({
  directory: folder,
  harness: { id: "pi" },
  model: "offline/scripted",
});
const turn = await runtime.turns.start({ sessionId: session.id, input: `say: ${"word ".repeat(20_000)}` });
const seen = [];
for await (const event of runtime.events.subscribe({ sessionId: session.id })) {
  seen.push(event);
  if (event.type === "message.delta") break;
}
fill();
const error = await turn.settled.catch((failure) => failure);
const statusMeanwhile = (await runtime.sessions.get(session.id)).status;
rmSync(filler);
const next = await runtime.turns.start({ sessionId: session.id, input: "exec: echo room" });
const { outcome } = await next.settled;
const events = await runtime.events.list(session.id, { limit: 100_000 });
const lastTurn = await runtime.turns.get({ sessionId: session.id, turnId: turn.id });
const nothingLost = seen.every((event) => JSON.stringify(events[event.seq - 1]) === JSON.stringify(event));
const dense = events.every((event, index) => event.seq === index + 1);
await runtime.close();
console.log(
  JSON.stringify({
    code: error.code,
    message: error.message,
    statusMeanwhile,
    next: outcome,
    dense,
    nothingLost,
    lastTurn,
  }),
);

/** Takes all the room there is, in ever smaller pieces. */
function fill() {
  let size = 1 << 20;
  let content = Buffer.alloc(0);
  while (size >= 512) {
    const more = Buffer.concat([content, Buffer.alloc(size)]);
    try {
      writeFileSync(filler, more);
      content = more;
    } catch {
      writeFileSync(filler, content);
      size >>= 1;
    }
  }
}
