// Holds the directory that it is given, and prints what it finds there after a file is made in it, and after it was
// deleted and made again.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HeldDirectory } from "../../../src/session/held-directory.ts";

const [path] = process.argv.slice(2);
const held = await HeldDirectory.open(path);
writeFileSync(join(path, "new.txt"), "new");
const changed = await held.look();
rmSync(path, { recursive: true });
mkdirSync(path);
console.log(changed, await held.look());
await held.close();
