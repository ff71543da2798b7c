// Brings pnpm, and a Node for machines whose own cannot run the tools, into .toolchain/.
//
// The lockfile of tools/toolchain is installed into a temporary folder that is renamed when it is complete, under
// a name that holds the lockfile's hash. So a folder of that name is whole, or somebody took a knife to it; then
// it is installed again.
import { createHash, randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { BootstrapError } from "./bootstrap-error.mjs";
import { run } from "./child.mjs";
import { setupEnvironment } from "./environment.mjs";
import { chooseNode } from "./node-version.mjs";
import { root, toolchainDir } from "./paths.mjs";
import { withSetupLock } from "./setup-lock.mjs";

const source = join(root, "tools", "toolchain");
const manifest = ["package.json", "package-lock.json"];

/**
 * The folders to put first on PATH, best first; installs what is missing.
 * @returns {Promise<string[]>}
 */
export async function ensureToolchain() {
  const { platform, arch, versions } = process;
  const node = chooseNode({ version: versions.node, platform, arch });
  const dir = join(toolchainDir, `tools-${key()}`);
  const nodePath = node === "own" ? ownNodePath() : [join(dir, "node_modules", node, "bin")];
  if (!isWhole(dir, node)) await withSetupLock(() => install(dir, node));
  return [join(dir, "bin"), ...nodePath];
}

/** @param {string} dir @param {string} node */
async function install(dir, node) {
  if (isWhole(dir, node)) return;
  process.stderr.write("claxedo: installing the toolchain into .toolchain/ (once)\n");
  for (const name of readdirSync(toolchainDir))
    if (name.startsWith("tools-")) rmSync(join(toolchainDir, name), { recursive: true, force: true });
  const partial = `${dir}.partial-${randomBytes(4).toString("hex")}`;
  mkdirSync(partial, { recursive: true });
  for (const file of manifest) copyFileSync(join(source, file), join(partial, file));
  const code = await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: partial,
    env: setupEnvironment(process.env),
    output: "stderr",
  });
  if (code !== 0)
    throw new BootstrapError(
      `npm could not install the toolchain (exit ${code}, its message is above).\n` +
        `It needs the npm registry once: check the network and \`npm ping\`, then run the same command again.`,
      code,
    );
  mkdirSync(join(partial, "bin"));
  for (const name of ["pnpm", "pnpx"])
    symlinkSync(`../node_modules/pnpm/bin/${name}.mjs`, join(partial, "bin", name));
  renameSync(partial, dir);
  if (!isWhole(dir, node))
    throw new BootstrapError(
      `The toolchain was installed, but ${node === "own" ? "pnpm" : `pnpm or ${node}`} is missing from it.\n` +
        `Check that npm installs optional dependencies (\`npm config get omit\` must be empty), delete .toolchain/ and run the same command again.`,
    );
}

/** The folder of the Node that runs, unless PATH leads to it anyway. */
function ownNodePath() {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const first = folders.map((folder) => join(folder, "node")).find((file) => existsSync(file));
  const isOurs = first !== undefined && realpathSync(first) === realpathSync(process.execPath);
  return isOurs ? [] : [dirname(process.execPath)];
}

/** @param {string} dir @param {string} node */
function isWhole(dir, node) {
  const files = ["bin/pnpm", ...(node === "own" ? [] : [`node_modules/${node}/bin/node`])];
  return files.every((file) => existsSync(join(dir, file)));
}

function key() {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}`);
  for (const file of manifest) hash.update(readFileSync(join(source, file)));
  return hash.digest("hex").slice(0, 16);
}
