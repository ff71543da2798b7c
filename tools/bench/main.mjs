// `npm run bench`: measures, prints one table. What is measured and why is in docs/performance.md.
import { cpus } from "node:os";
import { groups } from "./groups.mjs";
import { askProgram } from "./measure/program.mjs";
import { settingsFrom, usage } from "./settings.mjs";
import { table } from "./table.mjs";

/** @typedef {import("./row.mjs").Row} Row */

const program = new URL("programs/run-group.mjs", import.meta.url);

process.exitCode = await main(process.argv.slice(2));

/** The exit code. A target that is missed is no failure: it is one machine's figure. @param {readonly string[]} argv */
async function main(argv) {
  try {
    const settings = settingsFrom(argv, [...groups.keys()]);
    if (settings.help) {
      process.stdout.write(usage);
      return 0;
    }
    return await measure(settings);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`bench: ${error.message}\n${usage}`);
    return 2;
  }
}

/** Each group in a process of its own; one that fails takes no other with it. @param {import("./settings.mjs").Settings} settings */
async function measure(settings) {
  /** @type {Row[]} */
  const rows = [];
  let failed = 0;
  for (const name of groups.keys()) {
    if (settings.only.length > 0 && !settings.only.includes(name)) continue;
    const start = performance.now();
    try {
      const found = await askProgram(program, { name, settings });
      rows.push(.../** @type {readonly Row[]} */ (found));
      process.stderr.write(`bench: ${name}, ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
    } catch (error) {
      failed += 1;
      process.stderr.write(
        `bench: ${name} failed: ${error instanceof Error ? error.message : String(error)}\n`,
      );
    }
  }
  process.stdout.write(report(rows));
  return failed === 0 ? 0 : 1;
}

/** @param {readonly Row[]} rows */
function report(rows) {
  const judged = rows.filter(({ met }) => met !== undefined);
  const met = judged.filter((row) => row.met).length;
  const machine = `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores`;
  return `${table(rows)}\n\n${met} of ${judged.length} targets met (${machine}).\n`;
}
