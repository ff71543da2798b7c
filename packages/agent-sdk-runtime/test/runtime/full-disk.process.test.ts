import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const run = promisify(execFile);
const script = fileURLToPath(new URL("full-disk-host.mjs", import.meta.url));
/** A file system of its own needs a mount namespace of its own. */
const canMount = await run("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", tmpdir()]).then(
  () => true,
  () => false,
);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "claxedo-full-"));
  await mkdir(join(folder, "disk"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.skipIf(!canMount)(
  "a full disk fails what is going on with store-full, loses nothing told, and the session goes on once there is room",
  async () => {
    const mount = 'mount -t tmpfs -o size=16m tmpfs "$1/disk" && exec "$2" "$3" "$1"';
    const { stdout } = await run(
      "unshare",
      ["-rm", "sh", "-c", mount, "sh", folder, process.execPath, script],
      {
        env: { ...process.env, HOME: folder },
        timeout: 60_000,
      },
    );
    const told = JSON.parse(stdout) as Record<string, unknown>;
    expect(told).toMatchObject({
      code: "store-full",
      dense: true,
      nothingLost: true,
      statusMeanwhile: "error",
      next: "completed",
    });
    expect(told["message"]).toMatch(/full|space/u);
    expect(told["lastTurn"]).toMatchObject({ status: "failed" });
  },
);
