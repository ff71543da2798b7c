// One project: installed, its types checked, run.
import { deepEqual } from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { publishedPackages } from "../published.mjs";

const installMs = 300_000;
const checkMs = 120_000;
const runMs = 60_000;

/**
 * Says what went well, step by step; throws at the first step that did not.
 * @param {string} folder
 * @param {readonly string[]} nodes
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<string>}
 */
export async function* checkProject(folder, nodes, signal) {
  /** @param {string} command @param {readonly string[]} args @param {number} timeout @param {NodeJS.ProcessEnv} [env] */
  const step = (command, args, timeout, env) => execute(command, args, { cwd: folder, env, timeout, signal });

  await step(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"],
    installMs,
  );
  checkExports(folder);
  yield "installed";
  await step("tsc", ["--module", "esnext", "--moduleResolution", "bundler", "--noEmit"], checkMs);
  await step("tsc", ["--module", "nodenext", "--outDir", "out"], checkMs);
  yield "types fit, for Node and for bundlers";
  // pi reads the settings of its user; here nobody has any.
  const home = join(folder, "home");
  mkdirSync(home);
  for (const node of nodes) {
    const { stdout: version } = await step(node, ["--version"], runMs);
    const env = { HOME: home, PATH: process.env["PATH"] };
    const { stdout } = await step(node, ["out/main.js"], runMs, env);
    yield `runs on Node ${version.trim()}: ${stdout.trim()}`;
  }
}

/** What was installed offers the built files alone. @param {string} folder */
function checkExports(folder) {
  for (const { name, exports } of publishedPackages()) {
    const file = join(folder, "node_modules", name, "package.json");
    if (existsSync(file))
      deepEqual(JSON.parse(readFileSync(file, "utf8")).exports, exports, `exports of ${name}`);
  }
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv | undefined, timeout: number, signal: AbortSignal }} options
 */
async function execute(command, args, options) {
  try {
    return await promisify(execFile)(command, args, { ...options, killSignal: "SIGKILL" });
  } catch (error) {
    const {
      stdout = "",
      stderr = "",
      killed = false,
    } = /** @type {{ stdout?: string, stderr?: string, killed?: boolean }} */ (error);
    const how = killed ? `took longer than ${options.timeout / 1000} s` : "failed";
    throw new Error(`${command} ${args.join(" ")} ${how} in ${options.cwd}\n${stdout}${stderr}`, {
      cause: error,
    });
  }
}
