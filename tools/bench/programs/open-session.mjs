// Opens one session of a store and looks at its end, or works on it: how long that takes, and how the memory grows.
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import { answer, question } from "../measure/program.mjs";
import { piHarness } from "../workload/pi-harness.mjs";

const page = 100;

const { path, sessionId, how } =
  /** @type {{ path: string, sessionId: string, how: "events" | "messages" | "take" }} */ (question());
const runtime = createAgentRuntime({
  store: sqliteStore({ path }),
  harnesses: [piHarness(() => undefined)],
  role: how === "take" ? "host" : "reader",
});
await runtime.ready;
const before = process.memoryUsage.rss();
const start = performance.now();
if (how === "take") await runtime.sessions.update(sessionId, { title: "seen" });
else await lookAtEnd();
const ms = performance.now() - start;
const mib = (process.memoryUsage.rss() - before) / 1024 / 1024;
await runtime.close();
await answer({ ms, mib });
process.disconnect?.();

async function lookAtEnd() {
  const { seq } = await runtime.sessions.get(sessionId);
  const rows =
    how === "events"
      ? await runtime.events.list(sessionId, { after: seq - page, limit: page })
      : (await runtime.messages.list(sessionId, { after: seq - 5 * page, limit: page })).rows;
  if (rows.length === 0) throw new Error("The last page is empty.");
}
