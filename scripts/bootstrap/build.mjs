// Builds the packages, unless their dist folders are what the last build made of the same sources.
//
// turbo caches builds too, but asking it takes most of a second; this answer takes a few milliseconds.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { BootstrapError } from "./bootstrap-error.mjs";
import { runStep } from "./child.mjs";
import { root, toolchainDir } from "./paths.mjs";
import { withSetupLock } from "./setup-lock.mjs";
import { packageDirectories } from "./workspace.mjs";

const stamp = join(toolchainDir, "built");
/** Next to src/, what a build reads. The same list stands in turbo.json. */
const configFiles = ["package.json", "tsconfig.json", "tsdown.config.ts"];

/**
 * Leaves every package built from its present sources.
 * @param {import("./environment.mjs").Env} env
 */
export async function ensureBuilt(env) {
  if (!isBuilt()) await withSetupLock(() => build(env));
}

/** @param {import("./environment.mjs").Env} env */
async function build(env) {
  if (isBuilt()) return;
  process.stderr.write("claxedo: building\n");
  rmSync(stamp, { force: true });
  const before = sourcesHash();
  const code = await runStep("turbo", ["run", "build", "--output-logs=errors-only"], {
    cwd: root,
    env,
    output: "stderr",
  });
  if (code !== 0) throw new BootstrapError(`the build failed (exit ${code}); its messages are above.`, code);
  writeFileSync(stamp, before + outputsHash());
}

function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === sourcesHash() + outputsHash();
}

/** By content: an editor that saves the same text, or a checkout, changes nothing. */
function sourcesHash() {
  const hash = createHash("sha256");
  for (const file of ["tsconfig.base.json", "pnpm-lock.yaml"]) hash.update(readFileSync(join(root, file)));
  for (const dir of packageDirectories()) {
    const files = [...configFiles.map((name) => join(dir, name)), ...filesUnder(join(dir, "src"))];
    for (const file of files.filter((name) => existsSync(name)))
      hash.update(relative(root, file)).update("\0").update(readFileSync(file));
  }
  return hash.digest("hex");
}

/** By size and time: whoever else wrote into a dist folder is noticed, and the build is asked for again. */
function outputsHash() {
  const hash = createHash("sha256");
  for (const dir of packageDirectories()) {
    for (const file of filesUnder(join(dir, "dist"))) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}

/**
 * Absolute paths, sorted, without test files and fixtures; none for a folder that does not exist.
 * @param {string} dir
 * @returns {string[]}
 */
function filesUnder(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) return entry.name === "fixtures" ? [] : filesUnder(path);
      return entry.name.endsWith(".test.ts") ? [] : [path];
    });
}
