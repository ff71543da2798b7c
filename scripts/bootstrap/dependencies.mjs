// Installs the workspace's dependencies with pnpm, unless the last install still fits.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BootstrapError } from "./bootstrap-error.mjs";
import { runStep } from "./child.mjs";
import { root } from "./paths.mjs";
import { withSetupLock } from "./setup-lock.mjs";
import { packageDirectories, readManifest } from "./workspace.mjs";

/** Inside node_modules, so that deleting those forgets the install. */
const stamp = join(root, "node_modules", ".claxedo-installed");

/**
 * Leaves node_modules as pnpm-lock.yaml says. Repairs what an interrupted install or a deleted folder left.
 * @param {import("./environment.mjs").Env} env
 */
export async function ensureDependencies(env) {
  if (!isInstalled()) await withSetupLock(() => install(env));
}

/** @param {import("./environment.mjs").Env} env */
async function install(env) {
  if (isInstalled()) return;
  process.stderr.write("claxedo: installing dependencies\n");
  rmSync(stamp, { force: true });
  let code = await pnpmInstall(env);
  if (code === 0 && missingDependencies().length > 0) {
    // pnpm trusts its own records over the disk; without node_modules it has to look.
    for (const dir of [root, ...packageDirectories()])
      rmSync(join(dir, "node_modules"), { recursive: true, force: true });
    code = await pnpmInstall(env);
  }
  if (code !== 0)
    throw new BootstrapError(
      `pnpm could not install the dependencies (exit ${code}, its message is above).\n` +
        `If a package.json changed without pnpm-lock.yaml, run \`npm run x -- pnpm install\`. If the network failed, run the same command again.`,
      code,
    );
  writeFileSync(stamp, key());
}

/** @param {import("./environment.mjs").Env} env */
function pnpmInstall(env) {
  // CI: no prompts, whatever pnpm wants to ask.
  return runStep("pnpm", ["install", "--frozen-lockfile", "--reporter=append-only", "--loglevel=error"], {
    cwd: root,
    env: { ...env, CI: "true" },
    output: "stderr",
  });
}

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === key() && missingDependencies().length === 0;
}

function missingDependencies() {
  return [root, ...packageDirectories()].flatMap((dir) => {
    const { dependencies, devDependencies } = readManifest(dir);
    return Object.keys({ ...dependencies, ...devDependencies })
      .map((name) => join(dir, "node_modules", name))
      .filter((path) => !existsSync(path));
  });
}

function key() {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}`);
  for (const name of ["pnpm-lock.yaml", "pnpm-workspace.yaml"]) hash.update(readFileSync(join(root, name)));
  for (const dir of [root, ...packageDirectories()])
    hash.update(dir).update(readFileSync(join(dir, "package.json")));
  return hash.digest("hex");
}
