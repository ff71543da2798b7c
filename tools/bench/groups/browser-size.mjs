// What a page pays for: bundles of the built package, minified and compressed.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { againstLimit } from "../row.mjs";

/** @typedef {import("../row.mjs").Row} Row */

const main = "@claxedo/agent-event-runtime";
const schema = `${main}/schema`;
const core = [
  "createNdjsonDecoder",
  "emptySnapshot",
  "begin",
  "translate",
  "emit",
  "finish",
  "emptyProjection",
  "restoreProjection",
  "dispatch",
  "apply",
];
const view = ["transcript", "openRows"];

/** @returns {Promise<readonly Row[]>} */
export async function browserSizeRows() {
  const rows = [await size("core: framing, translator, projector", main, core, 6)];
  for (const name of ["pi", "claude"])
    if (await has(main, `${name}Adapter`))
      rows.push(await size(`core, ${name}, transcript`, main, [...core, `${name}Adapter`, ...view], 15));
  if (await has(schema, "parseEvent"))
    rows.push(await size("/schema: parseEvent", schema, ["parseEvent"], 10));
  return rows;
}

/** @param {string} module @param {string} name */
async function has(module, name) {
  const entries = JSON.parse(
    readFileSync(
      new URL("../node_modules/@claxedo/agent-event-runtime/package.json", import.meta.url),
      "utf8",
    ),
  ).exports;
  if (!Object.hasOwn(entries, module === main ? "." : module.replace(main, "."))) return false;
  return name in (await import(module));
}

/** @param {string} what @param {string} module @param {readonly string[]} names @param {number} most in kB of 1000 bytes @returns {Promise<Row>} */
async function size(what, module, names, most) {
  const code = await bundled(`export { ${names.join(", ")} } from ${JSON.stringify(module)};`);
  return againstLimit({
    operation: `browser size, ${what} (minified, gzip)`,
    values: [gzipSync(code, { level: 9 }).length / 1000],
    digits: 2,
    unit: "kB",
    limits: [{ most }],
  });
}

/** @param {string} source @returns {Promise<string>} */
async function bundled(source) {
  const bundle = await rolldown({
    input: "entry",
    platform: "browser",
    cwd: new URL("..", import.meta.url).pathname,
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === "entry" ? `${new URL("..", import.meta.url).pathname}entry.mjs` : null),
        load: (id) => (id.endsWith("/entry.mjs") ? source : null),
      },
    ],
  });
  try {
    const { output } = await bundle.generate({ format: "esm", minify: true });
    return output.map((piece) => (piece.type === "chunk" ? piece.code : "")).join("");
  } finally {
    await bundle.close();
  }
}
