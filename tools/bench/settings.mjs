// What a run was asked for.
import { parseArgs } from "node:util";

/**
 * @typedef {object} Settings
 * @property {readonly string[]} only groups to run; all when empty
 * @property {boolean} quick fewer rounds and smaller stores: to see that it works, not to judge by
 * @property {number} sessions sessions of the store that a runtime is started on
 * @property {number} events events of that store, all sessions together
 * @property {boolean} help
 */

export const usage = `npm run bench -- [--only GROUP]... [--quick] [--sessions N] [--events N]

  --only GROUP    only this group of rows (may be repeated)
  --quick         fewer rounds, smaller stores: to see that it works, not to judge by
  --sessions N    sessions of the store that a runtime is started on (default 1000)
  --events N      events of that store, all sessions together (default 200000; the target is stated for 1000000)
`;

/**
 * Reads the command line; throws a `TypeError` that says what is wrong with it.
 * @param {readonly string[]} argv
 * @param {readonly string[]} groups the names there are
 * @returns {Settings}
 */
export function settingsFrom(argv, groups) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: "string", multiple: true, default: [] },
      quick: { type: "boolean", default: false },
      sessions: { type: "string" },
      events: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const { only, quick, help } = values;
  for (const name of only)
    if (!groups.includes(name))
      throw new TypeError(`There is no group "${name}"; there are: ${groups.join(", ")}.`);
  return {
    only,
    quick,
    help,
    sessions: count("sessions", values.sessions, quick ? 200 : 1000, 20),
    events: count("events", values.events, quick ? 20_000 : 200_000, 2_000),
  };
}

/** @param {string} name @param {string | undefined} given @param {number} usual @param {number} least */
function count(name, given, usual, least) {
  const value = given === undefined ? usual : Number(given);
  if (Number.isInteger(value) && value >= least) return value;
  throw new TypeError(`--${name} is a whole number, ${least} or more.`);
}
