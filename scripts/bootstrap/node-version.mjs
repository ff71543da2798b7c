// Which Node runs the jobs: the caller's own where the tools support it, else a Node 24 from the npm registry.
import { BootstrapError } from "./bootstrap-error.mjs";

/** The Node versions every development tool of the repository supports, as people write them. */
export const supportedRange = "^22.19 || ^24.11 || >=26";

/** Platforms for which tools/toolchain/package.json lists a packaged Node. */
export const packagedPlatforms = ["linux-x64", "linux-arm64"];

/**
 * Whether `version` ("22.19.0") lies in `supportedRange`. A prerelease does not.
 * @param {string} version
 */
export function isSupportedNode(version) {
  const match = /^(\d+)\.(\d+)\.\d+$/.exec(version);
  if (!match) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return (major === 22 && minor >= 19) || (major === 24 && minor >= 11) || major >= 26;
}

/**
 * `"own"` to go on with the Node that runs, or the name of the package that brings another one.
 * Throws a BootstrapError naming the remedy where there is neither.
 * @param {{ version: string, platform: string, arch: string }} machine
 */
export function chooseNode({ version, platform, arch }) {
  if (isSupportedNode(version)) return "own";
  const name = `${platform}-${arch}`;
  if (packagedPlatforms.includes(name)) return `node-${name}`;
  throw new BootstrapError(
    `Node ${version} cannot run the tools of this repository (they need ${supportedRange}), ` +
      `and no Node is packaged for ${name}.\n` +
      `Install Node 24.11 or newer from the 24 line (https://nodejs.org/en/download), then run the same command again.`,
  );
}
