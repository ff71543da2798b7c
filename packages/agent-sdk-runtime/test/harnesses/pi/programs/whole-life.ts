// A host in small: three runs, a close, and then nothing that keeps the process alive.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pi } from "../../../../src/harnesses/index.ts";

const root = process.env["LAB_ROOT"] ?? "";
const directory = join(root, "workspace");
mkdirSync(directory);

const harness = pi({ agentDir: join(root, "agent"), sessionDir: join(root, "sessions") });
const connection = await harness.connect({
  sessionId: "s",
  directory,
  owner: "store.host.s_1",
  signal: new AbortController().signal,
});
const outcomes = [await run("say: hello"), await run("fail: on purpose"), await run("sleep: 30")];
await connection.close(2000);
process.stdout.write(`${outcomes.join(" ")}\n`);

async function run(text: string): Promise<string> {
  await connection.write(connection.prompt({ turnId: "t", inputId: text, parts: [{ type: "text", text }] }));
  let stopReason = "";
  for (;;) {
    for (const frame of (await connection.read()) ?? []) {
      const payload = (frame as { payload: Record<string, unknown> }).payload;
      if (payload["type"] === "tool_execution_start") await connection.write(connection.interrupt());
      if (payload["type"] === "message_end")
        stopReason = String((payload["message"] as Record<string, unknown>)["stopReason"]);
      if (payload["type"] === "agent_settled")
        return stopReason === "stop" ? "completed" : stopReason === "error" ? "failed" : "cancelled";
    }
  }
}
