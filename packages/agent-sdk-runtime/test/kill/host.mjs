// A host process for the kill test: opens the store, runs one turn, and prints the seq and type of every
// event that its subscriber sees. Plain JavaScript on the built packages, as a user's host would be.
import { join } from "node:path";
import { writeSync } from "node:fs";
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { pi } from "@claxedo/agent-sdk-runtime/harnesses";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";

const [folder, prompt] = process.argv.slice(2);
const runtime = createAgentRuntime({
  store: sqliteStore({ path: join(folder, "store.db") }),
  harnesses: [pi({ agentDir: join(folder, "agent"), sessionDir: join(folder, "pi-sessions") })],
});
const session = await runtime.sessions.create({
  directory: join(folder, "workspace"),
  harness: { id: "pi" },
  model: "offline/scripted",
});
writeSync(1, `session ${session.id}\n`);
const turn = await runtime.turns.start({ sessionId: session.id, input: prompt });
for await (const event of runtime.events.subscribe({ sessionId: session.id })) {
  writeSync(1, `${event.seq} ${event.type}\n`);
  if (event.type === "turn.ended") break;
}
await turn.settled;
await runtime.close();
