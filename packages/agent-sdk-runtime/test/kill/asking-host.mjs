// A host process that is killed while its agent asks: it hands over what it is given, one after another, and
// prints the id of its session once all of that is done, or asks. Plain JavaScript on the built packages, as
// a user's host would be.
import { join } from "node:path";
import { writeSync } from "node:fs";
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import { scriptedClaude } from "@claxedo/agent-sdk-runtime/testing";

const [folder, ...inputs] = process.argv.slice(2);
const runtime = createAgentRuntime({
  store: sqliteStore({ path: join(folder, "store.db") }),
  harnesses: [scriptedClaude()],
});
const { id: sessionId } = await runtime.sessions.create({ directory: folder, harness: { id: "claude" } });

async function asked(after = 0) {
  for await (const { type } of runtime.events.subscribe({ sessionId, after }))
    if (type === "permission.requested") return;
}

for (const input of inputs) {
  const turn = input.startsWith("/")
    ? await runtime.commands.run({ sessionId, command: input })
    : await runtime.turns.start({ sessionId, input });
  await Promise.race([turn.settled, asked(turn.seq)]);
}
await asked();
writeSync(1, `${sessionId}\n`);
setInterval(() => undefined, 1_000);
