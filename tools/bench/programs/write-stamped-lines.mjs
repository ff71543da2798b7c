// Writes lines at 1,000 a second; each is a delta whose text is the time of writing, on the clock that all processes share.
import { textDelta } from "../workload/pi-frames.mjs";

const lines = Number(process.argv[2]);
const start = performance.now();
let written = 0;
const timer = setInterval(() => {
  const due = Math.min(lines, Math.floor(performance.now() - start));
  for (; written < due; written += 1)
    process.stdout.write(`${JSON.stringify(textDelta(`${process.hrtime.bigint()} `))}\n`);
  if (written >= lines) clearInterval(timer);
}, 1);
