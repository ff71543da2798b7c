// The model server by hand: prints its URL as JSON, serves until SIGINT or SIGTERM. See README.md.
import { appendFileSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type MockModelsOptions, startMockModels } from "./mock-models.ts";
import { parseScripts } from "./script/parse.ts";

const USAGE = "Usage: node main.ts [--port N] [--scripts FILE.json] [--log FILE.jsonl]\n";

/** Starts the server, or says what is wrong with the arguments. */
async function main(argv: readonly string[]): Promise<void> {
  try {
    const mock = await startMockModels(optionsFrom(argv));
    process.stdout.write(`${JSON.stringify({ url: mock.url })}\n`);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void mock.close());
  } catch (error) {
    process.stderr.write(`mock-models: ${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exitCode = 2;
  }
}

function optionsFrom(argv: readonly string[]): MockModelsOptions {
  const { port, scripts, log } = parseArgs({
    args: [...argv],
    options: { port: { type: "string" }, scripts: { type: "string" }, log: { type: "string" } },
  }).values;
  return {
    ...(port === undefined ? undefined : { port: portFrom(port) }),
    ...(scripts === undefined
      ? undefined
      : { scripts: parseScripts(JSON.parse(readFileSync(scripts, "utf8"))) }),
    ...(log === undefined
      ? undefined
      : { onEnd: (request) => appendFileSync(log, `${JSON.stringify(request)}\n`) }),
  };
}

function portFrom(text: string): number {
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > 65_535) throw new TypeError(`--port takes a port, not ${text}.`);
  return port;
}

await main(process.argv.slice(2));
