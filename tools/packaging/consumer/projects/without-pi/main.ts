// The agent is an optional package, and this project does not have it: the turn says so, and what to do.
import { strict as assert } from "node:assert";
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { pi } from "@claxedo/agent-sdk-runtime/harnesses";
import { ClaudeCode, CLIError } from "@claxedo/agent-sdk-runtime/live";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";

await using runtime = createAgentRuntime({
  store: sqliteStore({ path: `${process.version}.db` }),
  harnesses: [pi()],
});
const session = await runtime.sessions.create({
  directory: process.cwd(),
  harness: { id: "pi", access: "native" },
});
const turn = await runtime.turns.start({ sessionId: session.id, input: "hi" });
const { outcome, error } = await turn.settled;
assert.equal(outcome, "failed");
assert.equal(error?.code, "harness-unavailable");
assert.match(error.message, /npm install @earendil-works\/pi-coding-agent@/);
console.log(error.message);

// The live session needs no agent of this project either: it says where it has looked for a program.
const missing = await ClaudeCode.ask("hi", { cwd: process.cwd(), binary: "/nowhere/claude" }).catch(
  (reason: unknown) => reason,
);
assert.ok(CLIError.is(missing));
assert.deepEqual(missing.fault, { kind: "not-found", looked: ["/nowhere/claude"] });
console.log(missing.message);
