import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { directoryIdentity } from "../../src/session/directory-identity.ts";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "claxedo-identity-"));
  path = join(folder, "work");
  await mkdir(path);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a directory stays itself when its content changes and when it is moved", async () => {
  const before = await directoryIdentity(path);
  await writeFile(join(path, "new.txt"), "new");
  await rename(path, `${path}-moved`);
  expect(await directoryIdentity(`${path}-moved`)).toBe(before);
});

test("one that is made again is another, although it may get the same inode", async () => {
  const before = await directoryIdentity(path);
  await rm(path, { recursive: true });
  // Birth times are told by the tick of the system's clock.
  await delay(20);
  await mkdir(path);
  expect(await directoryIdentity(path)).not.toBe(before);
});

test.each(["nothing", "a file", "below a file"])("there is none where there is %s", async (what) => {
  await rm(path, { recursive: true });
  if (what !== "nothing") await writeFile(path, "");
  const asked = what === "below a file" ? join(path, "below") : path;
  const refusal = { code: "directory-missing", message: expect.stringContaining(asked) as string };
  await expect(directoryIdentity(asked)).rejects.toMatchObject(refusal);
});

test("what the system cannot tell is not taken for a directory that is missing", async () => {
  await symlink("circle", join(folder, "circle"));
  await expect(directoryIdentity(join(folder, "circle"))).rejects.toMatchObject({ code: "ELOOP" });
});
