// The agents' own programs, as `npm run test:real` drives them. A folder of tools/agents is a harness: its manifest
// and lockfile pin the vendor's packages, its field `agent` tells where the program lies in them.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BootstrapError } from "./bootstrap-error.mjs";
import { ensureInstalled } from "./locked-install.mjs";
import { root } from "./paths.mjs";

const source = join(root, "tools", "agents");

/**
 * @typedef {object} Agent
 * @property {Record<string, string>} binaries by platform (`linux-x64`, `linux-x64-musl`), relative to node_modules
 * @property {Record<string, string>} env what its tests set for it
 */

/** The harnesses there are, sorted. */
export function harnessNames() {
  return readdirSync(source, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * The harnesses to test, all where none is named, and the options for vitest. Throws a BootstrapError that lists the
 * names when there is no such harness.
 * @param {readonly string[]} args names, then options
 * @param {readonly string[]} names
 */
export function chooseHarnesses(args, names) {
  const firstOption = args.findIndex((arg) => arg.startsWith("-"));
  const asked = firstOption < 0 ? args : args.slice(0, firstOption);
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new BootstrapError(
      `there is no harness ${JSON.stringify(unknown)}; \`test:real\` knows ${names.join(", ")}.`,
      2,
    );
  return { harnesses: asked.length > 0 ? asked : names, options: args.slice(asked.length) };
}

/** @param {string} harness @returns {Agent} */
export function readAgent(harness) {
  return JSON.parse(readFileSync(join(source, harness, "package.json"), "utf8")).agent;
}

/**
 * Leaves the agent of a harness installed and tells the environment of its tests: what its manifest says, and where
 * its program is. `undefined` where the vendor has no package for this platform.
 * @param {string} harness
 * @returns {Promise<Record<string, string> | undefined>}
 */
export async function ensureAgent(harness) {
  const { binaries, env } = readAgent(harness);
  const binary = binaries[platform()];
  if (binary === undefined) return undefined;
  const file = join("node_modules", binary);
  const folder = await ensureInstalled({
    source: join(source, harness),
    name: `agents-${harness}`,
    title: `the agent of ${harness}`,
    files: [file],
  });
  return { ...env, [`CLAXEDO_REAL_${harness.toUpperCase()}`]: join(folder, file) };
}

/** `<system>-<processor>`, and `-musl` where that is the C library. */
export function platform() {
  const name = `${process.platform}-${process.arch}`;
  return process.platform === "linux" && !hasGlibc() ? `${name}-musl` : name;
}

function hasGlibc() {
  const { header } = /** @type {{ header: object }} */ (process.report.getReport());
  return "glibcVersionRuntime" in header;
}
