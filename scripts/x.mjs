#!/usr/bin/env node
// The door to the repository: `node scripts/x.mjs JOB [ARGS]`, or any other command in place of JOB.
//
// Plain JavaScript without dependencies: it runs on any Node >= 18, before anything is installed. It brings
// the pinned tools into .toolchain/ (see bootstrap/toolchain.mjs), then runs the job with them on PATH.
// `npm start`, `npm test` and their siblings in package.json are one line each on top of it.
import { BootstrapError } from "./bootstrap/bootstrap-error.mjs";
import { runJob } from "./bootstrap/jobs.mjs";

try {
  process.exitCode = await runJob(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  process.stderr.write(`claxedo: ${error.message}\n`);
  process.exitCode = error.exitCode;
}
