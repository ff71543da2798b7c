// What users can import, in one report per entry point: packages/*/etc/<entry>.api.md.
//
//   node api-reports.mjs           compares the built declarations with the reports; exit 1 where one does not fit
//   node api-reports.mjs --write   writes the reports
//
// A report that changes is a change of the API, and comes with a changeset.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";
import { publishedPackages } from "./published.mjs";

/** @typedef {import("./published.mjs").Published} Published */
/** @typedef {import("./published.mjs").Entry} Entry */

/** For declarations that run on the language alone, as in a browser, or on Node. */
const compilerOptions = {
  target: "es2023",
  lib: ["es2023", "es2024.promise", "esnext.disposable"],
  module: "nodenext",
  moduleResolution: "nodenext",
  strict: true,
  types: ["node"],
};

const { write } = parseArgs({ options: { write: { type: "boolean", default: false } } }).values;
const scratch = mkdtempSync(join(tmpdir(), "claxedo-api-"));
try {
  const wrong = publishedPackages().flatMap(problemsOf);
  for (const problem of wrong) process.stderr.write(`${problem}\n`);
  if (wrong.length > 0)
    process.stderr.write("If the API is as it should be: npm run api, and a changeset.\n");
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** @param {Published} published @returns {readonly string[]} */
function problemsOf({ name, folder, entries }) {
  const reports = join(folder, "etc");
  mkdirSync(reports, { recursive: true });
  const known = entries.map((entry) => reportName(entry));
  const stale = readdirSync(reports).filter((file) => !known.includes(file));
  if (write) for (const file of stale) rmSync(join(reports, file));
  return [
    ...(write ? [] : stale).map((file) => `${name}: etc/${file} is the report of no entry point.`),
    ...unfitting(folder, entries).map((entry) => `${name}: etc/${reportName(entry)} does not fit.`),
  ];
}

/**
 * The entry points whose reports are not as their declarations are; with `--write` they are made so.
 * @param {string} folder @param {readonly Entry[]} entries
 */
function unfitting(folder, entries) {
  const additionalEntryPoints = entries.map(({ types }) => types);
  /** Read once for all of them. @type {CompilerState | undefined} */
  let program;
  return entries.filter((entry) => {
    const config = extractorConfig(folder, entry);
    program ??= CompilerState.create(config, { additionalEntryPoints });
    return !fits(config, program);
  });
}

/** @param {ExtractorConfig} config @param {CompilerState} compilerState */
function fits(config, compilerState) {
  const { errorCount, apiReportChanged } = Extractor.invoke(config, {
    compilerState,
    localBuild: write,
    printApiReportDiff: !write,
    messageCallback(message) {
      // The remedies it tells are those of its own command.
      if (message.logLevel !== "error" && message.messageId !== "console-api-report-diff")
        message.handled = true;
    },
  });
  return errorCount === 0 && (write || !apiReportChanged);
}

/** @param {string} folder @param {Entry} entry */
function extractorConfig(folder, entry) {
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(folder, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: entry.types,
      newlineKind: "lf",
      compiler: { overrideTsconfig: { compilerOptions, include: ["dist"] } },
      apiReport: {
        enabled: true,
        // What an export is made of is part of it, exported or not.
        includeForgottenExports: true,
        reportFileName: reportName(entry),
        reportFolder: join(folder, "etc"),
        reportTempFolder: scratch,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
  });
}

/** @param {Entry} entry */
function reportName({ name }) {
  return `${name}.api.md`;
}
