// The packages of the workspace, read from disk.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { packageGroups, root } from "./paths.mjs";

/**
 * @typedef {object} Manifest
 * @property {Record<string, string>} [bin]
 * @property {{ exports?: Record<string, string> }} [publishConfig]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/** Absolute directories of all packages, sorted. */
export function packageDirectories() {
  return packageGroups
    .map((group) => join(root, group))
    .filter((group) => existsSync(group))
    .flatMap((group) => readdirSync(group).map((name) => join(group, name)))
    .filter((dir) => existsSync(join(dir, "package.json")))
    .sort();
}

/**
 * @param {string} dir
 * @returns {Manifest}
 */
export function readManifest(dir) {
  return JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
}
