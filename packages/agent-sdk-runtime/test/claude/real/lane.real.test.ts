// What `npm run test:real` promises to the tests it runs.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { homedir, networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const binary = process.env["CLAXEDO_REAL_CLAUDE"];
const isLoopbackOnly = process.env["CLAXEDO_REAL_NETWORK"] === "loopback";

const manifest = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../../tools/agents/claude/package.json"), "utf8"),
) as {
  readonly dependencies: Record<string, string>;
  readonly agent: { readonly env: Record<string, string> };
};

describe.skipIf(binary === undefined)("the lane of the real claude", () => {
  test("brings the pinned version", async () => {
    const { stdout } = await promisify(execFile)(binary!, ["--version"], { timeout: 60_000 });
    expect(stdout.split(" ")[0]).toBe(manifest.dependencies["@anthropic-ai/claude-code"]);
  }, 90_000);

  test("lets the agent see nothing of its caller", () => {
    expect(homedir()).toBe(join(tmpdir(), "home"));
    expect(process.env).toMatchObject(manifest.agent.env);
    const read = Object.keys(process.env).filter((name) => /^(ANTHROPIC|CLAUDE)/.test(name));
    expect(Object.keys(manifest.agent.env)).toEqual(expect.arrayContaining(read));
  });

  test.skipIf(!isLoopbackOnly)("has a network that ends at this machine", async () => {
    expect(Object.keys(networkInterfaces())).toEqual(["lo"]);
    // An address of the block that is reserved for documentation.
    await expect(canConnect(443, "192.0.2.1")).rejects.toMatchObject({ code: "ENETUNREACH" });
    await using server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    await canConnect(address.port, "127.0.0.1");
  });
});

/** Resolves when connected, rejects with why not. */
async function canConnect(port: number, host: string): Promise<void> {
  const socket = connect({ port, host });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(10_000) });
  } finally {
    socket.destroy();
  }
}
