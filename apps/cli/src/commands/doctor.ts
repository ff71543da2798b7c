import { access, constants } from "node:fs/promises";
import type { Harness } from "@claxedo/agent-sdk-runtime";
import type { DoctorPlan } from "../arguments/plan.ts";
import { type Finding, findingLines, findingsJson, isUsable } from "../doctor/findings.ts";
import { lookAtStore } from "../doctor/look-at-store.ts";
import { exitCodes } from "../exit-code.ts";
import { type Console, writeJson } from "../host/console.ts";
import { harnessesOf } from "../host/open-runtime.ts";
import { isNodeSupported, lowestNode } from "../node-version.ts";
import { storePath } from "../store-path.ts";

/** `claxedo doctor`: whether everything is in place. Changes nothing. */
export async function doctor(console: Console, plan: DoctorPlan): Promise<number> {
  const store = storePath(plan.store, console);
  const findings = [
    lookAtNode(process.versions.node),
    await lookAtStore(store),
    ...(await Promise.all(harnessesOf(store).map(lookAtHarness))),
    await lookAtProcesses(),
  ];
  if (plan.json) await writeJson(console, findingsJson(findings));
  else await console.stdout.write(findingLines(findings, console.paint.out));
  return isUsable(findings) ? exitCodes.completed : exitCodes.failed;
}

function lookAtNode(version: string): Finding {
  const ok = isNodeSupported(version);
  const message = ok
    ? `Node ${version}`
    : `Node ${version} is too old: ${lowestNode.join(".")} or later is needed`;
  return { what: "node", ok, message, facts: { version } };
}

async function lookAtHarness(harness: Harness): Promise<Finding> {
  const { ok, version, program, message } = await harness.health();
  const found = program === undefined ? "" : ` (${program})`;
  const name = `${harness.id}${version === undefined ? "" : ` ${version}`}${found}`;
  const facts = {
    id: harness.id,
    access: harness.access.join(","),
    ...(version === undefined ? undefined : { version }),
    ...(program === undefined ? undefined : { program }),
  };
  return {
    what: "harness",
    ok,
    message: message === undefined ? `Harness ${name}` : `Harness ${name}: ${message}`,
    facts,
  };
}

/** Only /proc tells which processes a lost host left behind; without it the rest works. */
async function lookAtProcesses(): Promise<Finding> {
  const proc = await access("/proc/self/environ", constants.R_OK).then(
    () => true,
    () => false,
  );
  const message = proc
    ? "Processes that a lost host leaves behind can be found (/proc)"
    : "Processes that a lost host leaves behind cannot be found here: there is no /proc. Everything else works";
  return { what: "orphans", ok: true, message, facts: { proc } };
}
