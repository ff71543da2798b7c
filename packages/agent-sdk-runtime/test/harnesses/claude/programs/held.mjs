// Waits to begin while there is a file `hold` in its directory, or ends at once for a file `die`; then obeys. With
// `resume-hold` and `resume-die` only when it is to resume a session.
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const resumes = process.argv.some((arg) => arg.startsWith("--resume="));
const told = (name) => existsSync(name) || (resumes && existsSync(`resume-${name}`));
if (told("die")) {
  console.error("No messages returned");
  process.exit(1);
}
while (told("hold")) await delay(20);
await import("../../../claude/fake/programs/agent.mjs");
