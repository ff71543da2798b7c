// The packages that are published, and what users can import from them.
import { deepEqual } from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));

/**
 * @typedef {object} Published
 * @property {string} name
 * @property {string} folder
 * @property {Readonly<Record<string, string>>} exports as published: the built files, no sources
 * @property {readonly Entry[]} entries
 */

/**
 * @typedef {object} Entry
 * @property {string} name `index` for the package itself, `stores-sqlite` for `./stores/sqlite`
 * @property {string} types where its built declarations are
 */

/** All of them, sorted by folder. @returns {readonly Published[]} */
export function publishedPackages() {
  return readdirSync(packages)
    .toSorted()
    .map((name) => published(`${packages}${name}`));
}

/** @param {string} folder @returns {Published} */
function published(folder) {
  const { name, exports, publishConfig } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  /** @type {(readonly [path: string, file: string])[]} */
  const built = Object.entries(exports).map(([path, target]) => [path, target.default ?? target]);
  deepEqual(
    publishConfig.exports,
    Object.fromEntries(built),
    `${name}: publishConfig has other exports than are built.`,
  );
  const code = built.filter(([, file]) => file.endsWith(".js"));
  return {
    name,
    folder,
    exports: publishConfig.exports,
    entries: code.map(([path, file]) => entry(folder, path, file)),
  };
}

/** @param {string} folder @param {string} path @param {string} file @returns {Entry} */
function entry(folder, path, file) {
  return {
    name: path === "." ? "index" : path.slice(2).replaceAll("/", "-"),
    types: `${folder}/${file.slice(2).replace(/\.js$/, ".d.ts")}`,
  };
}
