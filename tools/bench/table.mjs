// Prints rows as a table that is also Markdown.

/** @typedef {import("./row.mjs").Row} Row */

const head = ["operation", "ours", "floor", "ratio", "target", "met"];

/** @param {readonly Row[]} rows @returns {string} */
export function table(rows) {
  const lines = [head, ...rows.map(cells)];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const print = (/** @type {readonly string[]} */ line) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [print(head), rule, ...lines.slice(1).map(print)].join("\n");
}

/** @param {Row} row @returns {readonly string[]} */
function cells({ operation, ours, floor, ratio, target, met }) {
  return [operation, ours, floor, ratio, target, met === undefined ? "" : met ? "yes" : "NO"];
}
