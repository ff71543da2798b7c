// The conformance kits, as authors of a projection or a store run them: without a test runner, too.
import { transcript } from "@claxedo/agent-event-runtime";
import { projectionConformance } from "@claxedo/agent-event-runtime/testing";
import { memoryDatabase, memoryStore } from "@claxedo/agent-sdk-runtime/stores/memory";
import { storeConformance } from "@claxedo/agent-sdk-runtime/testing";

const cases: readonly { id: string; run: () => void | Promise<void> }[] = [
  ...projectionConformance({ projection: () => transcript, supports: { rows: true } }),
  ...storeConformance({ place: sharedMemory, supports: { severalHosts: true, readers: true } }),
];
for (const { id, run } of cases) {
  try {
    await run();
  } catch (cause) {
    throw new Error(id, { cause });
  }
}
console.log(`${cases.length} cases pass`);

function sharedMemory() {
  const of = memoryDatabase();
  return { store: () => memoryStore({ of }) };
}
