// The environment of the processes the bootstrap starts. Pure: takes the inherited one, returns another.
import { delimiter, join } from "node:path";
import { root, toolchainDir } from "./paths.mjs";

/** @typedef {Record<string, string | undefined>} Env */

/** How to reach a registry: the only inherited npm settings that are passed on. */
const network = /^npm_config_(registry|@.*|cafile|ca|https?_proxy|proxy|noproxy|strict_ssl)$/i;

/** Where npm itself keeps and reads things; for npm alone. */
const npmOwn = /^npm_config_(cache|userconfig|globalconfig)$/i;

/**
 * For `npm ci` of the toolchain.
 * @param {Env} inherited
 * @returns {Env}
 */
export function setupEnvironment(inherited) {
  return {
    ...withoutNpm(inherited, (name) => network.test(name) || npmOwn.test(name)),
    npm_config_update_notifier: "false",
  };
}

/**
 * For everything else: the toolchain first on PATH, quiet tools that keep their files inside the clone, and none
 * of the settings `npm run` adds for its scripts (its nodedir, say, would build addons for another Node).
 * @param {Env} inherited
 * @param {string[]} toolPath folders to put first on PATH
 * @returns {Env}
 */
export function jobEnvironment(inherited, toolPath) {
  const env = withoutNpm(inherited, (name) => network.test(name));
  // What `npm run` says about itself; a nested `npm run` says it anew.
  delete env["INIT_CWD"];
  delete env["NODE"];
  return {
    ...env,
    PATH: [...toolPath, join(root, "node_modules", ".bin"), env["PATH"]].filter(Boolean).join(delimiter),
    TURBO_TELEMETRY_DISABLED: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
    DO_NOT_TRACK: "1",
    pnpm_config_state_dir: join(toolchainDir, "pnpm", "state"),
  };
}

/** What the tests of real agents have from their caller: how to find and show things, and nothing an agent reads. */
const harmless = /^(PATH|LANG|LC_\w+|TZ|TERM|NO_COLOR|FORCE_COLOR|CLAXEDO_(?!REAL_)\w+)$/;

/**
 * For the tests of real agents: no account, settings, proxy or home of the caller.
 * @param {Env} env the environment of a job
 * @param {string} scratch a folder of their own: every file goes there, and every process names it in its environment
 * @returns {Env}
 */
export function realTestEnvironment(env, scratch) {
  const kept = Object.entries(env).filter(([name]) => harmless.test(name));
  return { ...Object.fromEntries(kept), HOME: join(scratch, "home"), TMPDIR: scratch };
}

/**
 * @param {Env} inherited
 * @param {(name: string) => boolean} keep
 */
function withoutNpm(inherited, keep) {
  /** @type {Env} */
  const env = {};
  for (const [name, value] of Object.entries(inherited))
    if (!/^npm_/i.test(name) || (keep(name) && value !== "")) env[name] = value;
  return env;
}
