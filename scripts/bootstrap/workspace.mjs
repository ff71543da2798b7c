// The packages of the workspace, read from disk.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";

/** As in pnpm-workspace.yaml: every folder in one of these is a package, but for the toolchain. */
const groups = ["packages", "apps", "tools"];
const toolchain = join(root, "tools", "toolchain");

/**
 * @typedef {object} Manifest
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/** Absolute directories of all packages, sorted. */
export function packageDirectories() {
  return groups
    .map((group) => join(root, group))
    .filter((group) => existsSync(group))
    .flatMap((group) => readdirSync(group).map((name) => join(group, name)))
    .filter((dir) => dir !== toolchain && existsSync(join(dir, "package.json")))
    .sort();
}

/**
 * @param {string} dir
 * @returns {Manifest}
 */
export function readManifest(dir) {
  return JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
}
