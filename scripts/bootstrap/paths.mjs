// Where things are in the clone.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the clone. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Everything the bootstrap installs or remembers, except node_modules; safe to delete at any time. */
export const toolchainDir = join(root, ".toolchain");
