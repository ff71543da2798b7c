// A host in a process of its own: runs one turn, and prints the events that it sees.
import { writeSync } from "node:fs";
import type { ClaudeOptions } from "../../../../src/harnesses/claude/options.ts";
import { claude } from "../../../../src/harnesses/index.ts";
import { createAgentRuntime } from "../../../../src/index.ts";
import { sqliteStore } from "../../../../src/stores/sqlite/index.ts";
import { RuntimeTalk } from "../runtime-talk.ts";

/** What it is told, as JSON in its first argument. */
export interface HostOrder {
  readonly storePath: string;
  readonly directory: string;
  readonly options: ClaudeOptions;
  readonly prompt: string;
  /** Who is asked before tools are run: somebody who allows everything (default), or nobody who answers. */
  readonly asked?: "nobody";
  /** Whether it lives on when the turn has ended. */
  readonly stays?: true;
}

const { storePath, directory, options, prompt, asked, stays } = JSON.parse(
  process.argv[2] ?? "",
) as HostOrder;
const store = sqliteStore({ path: storePath });
await using runtime = createAgentRuntime({ store, harnesses: [claude(options)] });
const session = await runtime.sessions.create({ directory, harness: { id: "claude" } });
const talk = new RuntimeTalk(runtime, session.id);
if (asked === undefined) talk.allowAll();
const turn = await talk.start(prompt);
// Not `process.stdout`, which would keep back what a full pipe does not take at once.
for await (const { seq, type } of runtime.events.subscribe({ sessionId: session.id })) {
  writeSync(1, `${JSON.stringify({ sessionId: session.id, seq, type })}\n`);
  if (type === "turn.ended" && stays === undefined) break;
}
await turn.settled;
