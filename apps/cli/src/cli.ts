#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { isNodeSupported, lowestNode } from "./node-version.ts";

if (isNodeSupported(process.versions.node)) {
  const { start } = await import("./start.ts");
  await start(process.argv.slice(2), fileURLToPath(import.meta.url));
} else {
  process.stderr.write(
    `claxedo: Node ${lowestNode.join(".")} or later is needed, and this is ${process.versions.node}; run it with a newer Node.\n`,
  );
  process.exitCode = 1;
}
