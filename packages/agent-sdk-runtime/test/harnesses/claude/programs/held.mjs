// Waits to begin while there is a file `hold` in its directory, or ends at once for a file `die`; then obeys.
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

if (existsSync("die")) process.exit(1);
while (existsSync("hold")) await delay(20);
await import("../../../claude/fake/programs/agent.mjs");
