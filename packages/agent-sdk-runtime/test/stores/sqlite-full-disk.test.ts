import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { scratchFolder } from "./scratch.ts";
import { storeCommand, StoreProgram } from "./store-program.ts";

/** Mounts a disk of 1 MiB that only the command sees; the command is given as arguments. */
const onTinyDisk = 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"';

function canMount(): boolean {
  const { status } = spawnSync("unshare", ["-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]);
  return status === 0;
}

describe("a SQLite store on a full disk", () => {
  it("refuses with store-full, keeps what it had answered, and goes on when there is space", async ({
    skip,
  }) => {
    skip(!canMount(), "this system does not let a user mount a disk of their own");
    const disk = join(scratchFolder(), "disk");
    mkdirSync(disk);
    const path = join(disk, "store.db");
    const command = storeCommand("fill", path, join(disk, "ballast"));
    const program = new StoreProgram(["unshare", "-rm", "sh", "-c", onTinyDisk, disk, ...command]);
    onTestFinished(() => program.kill());
    type Full = { refusal: { code: string; message: string }; acknowledged: number; head: number };
    const full = (await program.next<Full>())!;
    expect(full.refusal.code).toBe("store-full");
    expect(full.refusal.message).toContain("Free some space");
    expect(full.acknowledged).toBeGreaterThan(0);
    expect(full.head).toBe(full.acknowledged);
    expect(await program.next()).toEqual({ acknowledged: full.acknowledged + 20, head: full.head + 20 });
    expect(await program.exitCode()).toBe(0);
  });

  it("leaves nothing half made where there is no space for a new store", async ({ skip }) => {
    skip(!canMount(), "this system does not let a user mount a disk of their own");
    const disk = join(scratchFolder(), "disk");
    mkdirSync(disk);
    const script = onTinyDisk.replace("size=1m", "size=20k").replace('exec "$@"', '("$@"; ls "$0")');
    const { stdout } = spawnSync(
      "unshare",
      ["-rm", "sh", "-c", script, disk, ...storeCommand("open", join(disk, "store.db"), "host")],
      { encoding: "utf8" },
    );
    expect(stdout).toContain('"code":"store-full"');
    expect(stdout.trim().split("\n").slice(1)).toEqual(["store.db.hosts"]);
  });
});
