import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { HeldDirectory } from "../../src/session/held-directory.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "claxedo-directory-"));
  path = join(folder, "work");
  await mkdir(path);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function held(): Promise<HeldDirectory> {
  const directory = await HeldDirectory.open(path);
  onTestFinished(() => directory.close());
  return directory;
}

test("a directory stays itself when its content changes and when it is moved and moved back", async () => {
  const directory = await held();
  await writeFile(join(path, "new.txt"), "new");
  expect(await directory.look()).toBe("same");
  await rename(path, `${path}-moved`);
  expect(await directory.look()).toBe("gone");
  await rename(`${path}-moved`, path);
  expect(await directory.look()).toBe("same");
});

test("one that is made again is another, and a file or nothing is none", async () => {
  const directory = await held();
  await rm(path, { recursive: true });
  expect(await directory.look()).toBe("gone");
  await writeFile(path, "");
  expect(await directory.look()).toBe("gone");
  await rm(path);
  // Without the hold, many file systems would give it the same inode at once.
  await mkdir(path);
  expect(await directory.look()).toBe("replaced");
});

test.each(["nothing", "a file", "below a file"])("there is none where there is %s", async (what) => {
  await rm(path, { recursive: true });
  if (what !== "nothing") await writeFile(path, "");
  const asked = what === "below a file" ? join(path, "below") : path;
  const refusal = { code: "directory-missing", message: expect.stringContaining(asked) as string };
  await expect(HeldDirectory.open(asked)).rejects.toMatchObject(refusal);
});

test("what the system cannot tell is not taken for a directory that is missing", async () => {
  const circle = join(folder, "circle");
  await symlink("circle", circle);
  await expect(HeldDirectory.open(circle)).rejects.toMatchObject({ code: "ELOOP" });
  const directory = await held();
  await rename(path, `${path}-moved`);
  await symlink(path, path);
  await expect(directory.look()).rejects.toMatchObject({ code: "ELOOP" });
});

test("one that may not be read can still be worked in", async () => {
  await chmod(path, 0o311);
  expect(await (await held()).look()).toBe("same");
});

/** A command line for a shell that may mount, with the folder under an overlay, as images of containers are. */
function overlaid(root: string, command: string): readonly string[] {
  for (const name of ["lower/work", "upper", "scratch", "merged"])
    mkdirSync(join(root, name), { recursive: true });
  const layers = `userxattr,lowerdir=${root}/lower,upperdir=${root}/upper,workdir=${root}/scratch`;
  const mount = `mount -t overlay overlay -o ${layers} ${root}/merged`;
  // What the kernel leaves in its scratch folder only this shell may remove.
  return [
    "-rm",
    "sh",
    "-c",
    `${mount} && { ${command}; }; code=$?; umount ${root}/merged; rm -r ${root}/scratch; exit $code`,
  ];
}

test("on an overlay a first write, which gives it another birth time, leaves it itself", async ({ skip }) => {
  const mounted = spawnSync("unshare", overlaid(folder, "true"));
  if (mounted.status !== 0) return skip("no overlay can be mounted here");
  const program = join(import.meta.dirname, "programs/looks.mjs");
  const command = `'${process.execPath}' '${program}' '${folder}/merged/work'`;
  expect(execFileSync("unshare", overlaid(folder, command), { encoding: "utf8" })).toBe("same replaced\n");
});
