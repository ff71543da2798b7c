// Uses the packages as somebody outside does: installs their tarballs with npm into projects that know nothing of
// this repository, checks the projects' types, and runs them on the oldest and the newest Node. Needs the registry.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { publishedPackages } from "../published.mjs";
import { nodes } from "./nodes.mjs";
import { checkProject } from "./project.mjs";

const projects = join(import.meta.dirname, "projects");
const scratch = mkdtempSync(join(tmpdir(), "claxedo-consumer-"));
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort());
try {
  cpSync(projects, scratch, { recursive: true });
  mkdirSync(join(scratch, "packages"));
  for (const { folder } of publishedPackages())
    cpSync(join(folder, "package.tgz"), join(scratch, "packages", `${basename(folder)}.tgz`));
  const programs = await nodes();
  for (const { name } of readdirSync(projects, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  ))
    for await (const step of checkProject(join(scratch, name), programs, stop.signal))
      process.stdout.write(`${name}: ${step}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
