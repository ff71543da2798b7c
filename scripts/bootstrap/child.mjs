// Runs a command and stays until it has ended, passing on signals and its exit code.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { BootstrapError } from "./bootstrap-error.mjs";
import { relaySignals } from "./signal-relay.mjs";

/**
 * @typedef {object} RunOptions
 * @property {string} cwd
 * @property {Record<string, string | undefined>} env
 * @property {"inherit" | "stderr"} [output] where the command's stdout goes; default `inherit`
 * @property {"ignore" | "inherit"} [input] default `ignore`: nothing the bootstrap runs by itself asks questions
 */

/**
 * The command's exit code, 128 + signal number when a signal ended it, 127 when there is no such command.
 * Never rejects because of what the command does.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<number>}
 */
export async function run(command, args, options) {
  return (await runToEnd(command, args, options)).code;
}

/**
 * One of several commands in a row: as `run`, but a signal ends the row, whatever the command made of it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<number>}
 */
export async function runStep(command, args, options) {
  const { code, signal } = await runToEnd(command, args, options);
  if (signal)
    throw new BootstrapError(
      `stopped by ${signal}; run the same command again to go on.`,
      exitCodeOf(signal),
    );
  return code;
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<{ code: number, signal?: NodeJS.Signals }>}
 */
function runToEnd(command, args, { cwd, env, output = "inherit", input = "ignore" }) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: [input, output === "stderr" ? 2 : "inherit", "inherit"],
  });
  const relay = relaySignals(child);
  return new Promise((resolve) => {
    child.once("error", (error) => {
      relay.stop();
      process.stderr.write(`claxedo: cannot run ${command}: ${error.message}\n`);
      resolve({ code: 127 });
    });
    child.once("exit", (code, signal) => {
      relay.stop();
      const received = relay.received();
      resolve({ code: signal ? exitCodeOf(signal) : (code ?? 1), ...(received && { signal: received }) });
    });
  });
}

/** @param {NodeJS.Signals} signal */
function exitCodeOf(signal) {
  return 128 + constants.signals[signal];
}
