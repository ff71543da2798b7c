// Starts a runtime on a store: how long until it is ready.
import { createAgentRuntime } from "@claxedo/agent-sdk-runtime";
import { sqliteStore } from "@claxedo/agent-sdk-runtime/stores/sqlite";
import { join } from "node:path";
import { cpuTime } from "../measure/cpu-time.mjs";
import { answer, question } from "../measure/program.mjs";
import { piHarness } from "../workload/pi-harness.mjs";

/**
 * @typedef {object} Started
 * @property {number} ms
 * @property {number} cpuMs
 * @property {number} recovered sessions whose open turn was settled
 */

const { folder } = /** @type {{ folder: string }} */ (question());
const start = performance.now();
const startCpu = cpuTime();
const runtime = createAgentRuntime({
  store: sqliteStore({ path: join(folder, "store.db") }),
  harnesses: [piHarness(() => undefined)],
});
const { recovered } = await runtime.ready;
const ms = performance.now() - start;
const cpuMs = cpuTime() - startCpu;
await runtime.close();
await answer({ ms, cpuMs, recovered: recovered.length });
process.disconnect?.();
