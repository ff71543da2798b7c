// Installs the packages of a package-lock.json with npm into .toolchain/.
//
// They are installed into a temporary folder that is renamed when it is complete, under a name that holds the
// lockfile's hash. So a folder of that name is whole, or somebody took a knife to it; then it is installed again.
import { createHash, randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { BootstrapError } from "./bootstrap-error.mjs";
import { runStep } from "./child.mjs";
import { setupEnvironment } from "./environment.mjs";
import { toolchainDir } from "./paths.mjs";
import { withSetupLock } from "./setup-lock.mjs";

const manifest = ["package.json", "package-lock.json"];

/**
 * @typedef {object} LockedInstall
 * @property {string} source the folder of the lockfile
 * @property {string} name of the folder in .toolchain/, before its hash
 * @property {string} title what is installed, in messages
 * @property {readonly string[]} files what must be there, relative to the folder
 * @property {(folder: string) => void} [finish] what is left to do once npm is through
 */

/**
 * The folder of an install; installs what is missing.
 * @param {LockedInstall} wanted
 * @returns {Promise<string>}
 */
export async function ensureInstalled(wanted) {
  const folder = join(toolchainDir, `${wanted.name}-${key(wanted.source)}`);
  if (missingFiles(folder, wanted).length > 0) await withSetupLock(() => install(folder, wanted));
  return folder;
}

/** @param {string} folder @param {LockedInstall} wanted */
async function install(folder, wanted) {
  if (missingFiles(folder, wanted).length === 0) return;
  process.stderr.write(`claxedo: installing ${wanted.title} into .toolchain/ (once)\n`);
  for (const name of readdirSync(toolchainDir))
    if (name.startsWith(`${wanted.name}-`))
      rmSync(join(toolchainDir, name), { recursive: true, force: true });
  const partial = `${folder}.partial-${randomBytes(4).toString("hex")}`;
  try {
    mkdirSync(partial, { recursive: true });
    for (const file of manifest) copyFileSync(join(wanted.source, file), join(partial, file));
    await npmCi(partial, wanted.title);
    wanted.finish?.(partial);
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  const missing = missingFiles(folder, wanted);
  if (missing.length > 0)
    throw new BootstrapError(
      `npm installed ${wanted.title}, but ${missing.join(" and ")} is missing from it.\n` +
        `Check that npm installs optional dependencies (\`npm config get omit\` must be empty), delete .toolchain/ and run the same command again.`,
    );
}

/** @param {string} cwd @param {string} title */
async function npmCi(cwd, title) {
  const code = await runStep(
    "npm",
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd,
      env: setupEnvironment(process.env),
      output: "stderr",
    },
  );
  if (code !== 0)
    throw new BootstrapError(
      `npm could not install ${title} (exit ${code}, its message is above).\n` +
        `It needs the npm registry once: check the network and \`npm ping\`, then run the same command again.`,
      code,
    );
}

/** @param {string} folder @param {LockedInstall} wanted */
function missingFiles(folder, { files }) {
  return files.filter((file) => !existsSync(join(folder, file)));
}

/** @param {string} source */
function key(source) {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}`);
  for (const file of manifest) hash.update(readFileSync(join(source, file)));
  return hash.digest("hex").slice(0, 16);
}
