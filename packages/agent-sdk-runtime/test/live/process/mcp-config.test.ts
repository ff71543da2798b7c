import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { writeMcpConfig } from "../../../src/live/process/mcp-config.ts";

const own = { type: "sdk" as const, onMessage: () => undefined };

it("writes down the servers that the CLI starts, for its owner's eyes, and takes the file away", async () => {
  const config = await writeMcpConfig({ mine: own, theirs: { command: "x", env: { KEY: "secret" } } });
  const path = config?.path ?? "";
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    mcpServers: { theirs: { command: "x", env: { KEY: "secret" } } },
  });
  expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
  await config?.[Symbol.asyncDispose]();
  expect(existsSync(dirname(path))).toBe(false);
});

it("writes nothing where there is nothing to start", async () => {
  expect(await writeMcpConfig(undefined)).toBeUndefined();
  expect(await writeMcpConfig({ mine: own })).toBeUndefined();
});
