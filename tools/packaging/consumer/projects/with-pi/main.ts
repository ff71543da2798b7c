// A turn of an agent that works offline, in a session that is kept in a file.
import { strict as assert } from "node:assert";
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { pi } from "@claxedo/agent-sdk-runtime/harnesses";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";

await using runtime = createAgentRuntime({
  store: sqliteStore({ path: `${process.version}.db` }),
  harnesses: [pi()],
});
const session = await runtime.sessions.create({
  directory: process.cwd(),
  harness: { id: "pi", access: "native" },
  model: "offline/scripted",
});
const turn = await runtime.turns.start({ sessionId: session.id, input: "exec: echo hello" });
const { outcome, error } = await turn.settled;
assert.equal(outcome, "completed", JSON.stringify(error));

const outputs: (string | undefined)[] = [];
for await (const event of runtime.events.subscribe({ sessionId: session.id })) {
  if (event.type === "tool.ended") outputs.push(event.output);
  if (event.type === "turn.ended") break;
}
assert.equal(outputs.join("").trim(), "hello");
console.log(`the turn is ${outcome}, and echo said ${outputs.join("").trim()}`);
