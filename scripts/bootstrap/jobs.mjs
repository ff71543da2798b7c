// The jobs of scripts/x.mjs by name. Everything that is not a job is a command.
import { join } from "node:path";
import { chooseHarnesses, harnessNames } from "./agents.mjs";
import { BootstrapError } from "./bootstrap-error.mjs";
import { ensureBuilt } from "./build.mjs";
import { check } from "./check-job.mjs";
import { run, runStep } from "./child.mjs";
import { ensureDependencies } from "./dependencies.mjs";
import { jobEnvironment } from "./environment.mjs";
import { root } from "./paths.mjs";
import { testReal } from "./real-job.mjs";
import { testEverything } from "./test-job.mjs";
import { ensureToolchain } from "./toolchain.mjs";

/** @typedef {import("./environment.mjs").Env} Env */
/** @typedef {(args: readonly string[]) => Promise<number>} Job */

/** @type {ReadonlyMap<string, Job>} */
const jobs = new Map(
  Object.entries({
    setup: () => prepare().then(() => 0),
    build: () => prepareBuilt().then(() => 0),
    start: (args) => claxedo(["demo", ...args]),
    claxedo,
    recordings: (args) => claxedo(["replay", "--summary", ...args]),
    fuzz,
    bench: async (args) =>
      inRoot(await prepareBuilt(), "node", [join("tools", "bench", "main.mjs"), ...args]),
    test,
    "test:real": async (args) => {
      const chosen = chooseHarnesses(args, harnessNames());
      return testReal(await prepareBuilt(), chosen);
    },
    check: async () => check(await prepareBuilt()),
    lint: async (args) => inRoot(await prepare(), "oxlint", ["--type-aware", "--deny-warnings", ...args]),
    fmt: async (args) => inRoot(await prepare(), "oxfmt", args.length > 0 ? args : ["."]),
    api: () => turbo("api"),
    "api:check": () => turbo("api:check"),
    "pack:check": () => turbo("pack:check", "errors-only"),
    sizes: () => turbo("sizes"),
    consumer: () => turbo("consumer"),
  }),
);

/**
 * Runs a job, or any command with the pinned tools on PATH, and tells its exit code. Commands and `claxedo` run in
 * the caller's directory, the other jobs in the root of the clone.
 * @param {readonly string[]} argv
 * @returns {Promise<number>}
 */
export async function runJob([name, ...args]) {
  if (name === undefined)
    throw new BootstrapError(
      `name a job (${[...jobs.keys()].join(", ")}) or a command, as in \`npm run x -- pnpm --version\`.`,
      2,
    );
  const job = jobs.get(name);
  if (job) return job(args);
  // pnpm comes with the toolchain, and is what brings the lockfile up to date when the install asks for that.
  const env = name === "pnpm" ? await prepareTools() : await prepare();
  return inCallersDirectory(env, name, args);
}

async function prepareTools() {
  return jobEnvironment(process.env, await ensureToolchain());
}

/** Toolchain and dependencies; the environment for everything that follows. @returns {Promise<Env>} */
async function prepare() {
  const env = await prepareTools();
  await ensureDependencies(env);
  return env;
}

async function prepareBuilt() {
  const env = await prepare();
  await ensureBuilt(env);
  return env;
}

/** @type {Job} */
async function claxedo(args) {
  return inCallersDirectory(await prepareBuilt(), "node", [
    join(root, "apps", "cli", "dist", "cli.js"),
    ...args,
  ]);
}

/** @type {Job} */
async function fuzz(args) {
  const program = join(root, "packages", "agent-event-runtime", "test", "fuzz", "main.ts");
  return inRoot(await prepare(), "node", [program, ...args]);
}

/** @type {Job} */
async function test(args) {
  if (args.length > 0)
    throw new BootstrapError(
      "`test` always runs everything. For a part: `npm run x -- vitest run <files or options>`.",
      2,
    );
  return testEverything(await prepareBuilt());
}

/** A task of turbo.json. @param {string} task @param {"new-only" | "errors-only"} [logs] */
async function turbo(task, logs = "new-only") {
  return runStep("turbo", ["run", task, `--output-logs=${logs}`], { cwd: root, env: await prepare() });
}

/** @param {Env} env @param {string} command @param {readonly string[]} args */
function inRoot(env, command, args) {
  return run(command, args, { cwd: root, env, input: "inherit" });
}

/** @param {Env} env @param {string} command @param {readonly string[]} args */
function inCallersDirectory(env, command, args) {
  // npm runs scripts in the package's folder and leaves the caller's in INIT_CWD.
  const cwd = (process.env["npm_lifecycle_event"] && process.env["INIT_CWD"]) || process.cwd();
  return run(command, args, { cwd, env, input: "inherit" });
}
