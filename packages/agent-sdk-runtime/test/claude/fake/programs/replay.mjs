// Plays process FAKE_PROCESS of the recording FAKE_RECORDING: waits for each line of the host, then writes what
// the CLI wrote after it, with the ids of this host's lines in place of the recorded ones. Ends with its input.
import { kindOf, readRecording } from "../recording.ts";
import { readLines } from "../fake-cli.ts";

const recorded = readRecording(process.env.FAKE_RECORDING)[Number(process.env.FAKE_PROCESS ?? 0)];
const host = readLines();
const ids = new Map();

/** The next line of the host of a kind; what the recording's host did not send is answered by itself. */
async function next(kind) {
  for (;;) {
    const { value, done } = await host.next();
    if (done) process.exit(0);
    const line = JSON.parse(value);
    if (kindOf(line) === kind) return line;
    if (line.type !== "control_request") throw new Error(`${kindOf(line)} came instead of ${kind}`);
    const response = { subtype: "success", request_id: line.request_id, response: {} };
    process.stdout.write(`${JSON.stringify({ type: "control_response", response })}\n`);
  }
}

for (const step of recorded) {
  if (step.by === "host") {
    const line = await next(kindOf(step.line));
    for (const id of ["uuid", "request_id"])
      if (step.line[id] !== undefined) ids.set(step.line[id], line[id]);
    continue;
  }
  const text = [...ids].reduce((line, [theirs, ours]) => line.replaceAll(theirs, ours), step.text);
  process.stdout.write(`${text}\n`);
}
await next("nothing more");
