// Brings pnpm, and a Node for machines whose own cannot run the tools, into .toolchain/.
import { existsSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ensureInstalled } from "./locked-install.mjs";
import { chooseNode } from "./node-version.mjs";
import { root } from "./paths.mjs";

/**
 * The folders to put first on PATH, best first; installs what is missing.
 * @returns {Promise<string[]>}
 */
export async function ensureToolchain() {
  const { platform, arch, versions } = process;
  const node = chooseNode({ version: versions.node, platform, arch });
  const packaged = node === "own" ? [] : [`node_modules/${node}/bin/node`];
  const dir = await install(packaged);
  const nodePath = node === "own" ? ownNodePath() : packaged.map((file) => join(dir, dirname(file)));
  return [join(dir, "bin"), ...nodePath];
}

/** The program of the Node that comes with the toolchain, whatever Node the jobs run on. @returns {Promise<string>} */
export async function packagedNode() {
  const file = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
  return join(await install([file]), file);
}

/** @param {readonly string[]} files needed besides pnpm @returns {Promise<string>} */
function install(files) {
  return ensureInstalled({
    source: join(root, "tools", "toolchain"),
    name: "tools",
    title: "the toolchain",
    files: ["bin/pnpm", ...files],
    finish: linkPnpm,
  });
}

/** @param {string} dir */
function linkPnpm(dir) {
  mkdirSync(join(dir, "bin"));
  for (const name of ["pnpm", "pnpx"])
    symlinkSync(`../node_modules/pnpm/bin/${name}.mjs`, join(dir, "bin", name));
}

/** The folder of the Node that runs, unless PATH leads to it anyway. */
function ownNodePath() {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const first = folders.map((folder) => join(folder, "node")).find((file) => existsSync(file));
  const isOurs = first !== undefined && realpathSync(first) === realpathSync(process.execPath);
  return isOurs ? [] : [dirname(process.execPath)];
}
