// The Nodes that the projects run on.
import { join } from "node:path";
import { ensureInstalled } from "../../../scripts/bootstrap/locked-install.mjs";
import { packagedNode } from "../../../scripts/bootstrap/toolchain.mjs";

/** The programs, oldest first; installs what is missing. @returns {Promise<readonly string[]>} */
export async function nodes() {
  return [await oldestNode(), await packagedNode()];
}

/** The oldest Node with which all of the packages work: pi asks for it. */
async function oldestNode() {
  const file = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
  const folder = await ensureInstalled({
    source: join(import.meta.dirname, "..", "nodes"),
    name: "nodes",
    title: "the oldest supported Node",
    files: [file],
  });
  return join(folder, file);
}
