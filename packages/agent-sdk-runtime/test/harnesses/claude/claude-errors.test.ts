import { expect, test } from "vitest";
import { AgentRuntimeError, type AgentRuntimeErrorCode } from "../../../src/errors/agent-runtime-error.ts";
import { hostError, isUnknownModel, isUnknownSession } from "../../../src/harnesses/claude/errors.ts";
import { CLIError, type CLIFault } from "../../../src/live/cli-error.ts";

const faults: { readonly [Kind in CLIFault["kind"]]: readonly [CLIFault, AgentRuntimeErrorCode] } = {
  "not-found": [{ kind: "not-found", looked: ["/usr/bin/claude"] }, "harness-unavailable"],
  "spawn-failed": [{ kind: "spawn-failed" }, "harness-failed"],
  exited: [{ kind: "exited", code: 1, signal: null, stderrTail: "why" }, "harness-failed"],
  protocol: [{ kind: "protocol" }, "harness-failed"],
  timeout: [{ kind: "timeout", afterMs: 10 }, "harness-failed"],
  refused: [{ kind: "refused", request: "set_model" }, "harness-failed"],
  closed: [{ kind: "closed" }, "closed"],
};

test.each(Object.values(faults))("tells the fault %j as %s, in the same words", (fault, code) => {
  const error = hostError(new CLIError(fault, "What to do."));
  expect([error.code, error.message]).toEqual([code, "What to do."]);
});

test("leaves an error of the host's as it is, and takes anything else for a failure of the harness", () => {
  const own = new AgentRuntimeError("directory-missing", "Make it.");
  expect(hostError(own)).toBe(own);
  expect(hostError(new Error("odd"))).toMatchObject({ code: "harness-failed", message: "odd" });
  expect(hostError("odd")).toMatchObject({ code: "harness-failed", message: "odd" });
});

test.each<[string | undefined, boolean]>([
  ["not_found", true],
  ["catalog_unknown", true],
  [undefined, true],
  ["auth_failed", false],
  ["check_unreachable", false],
  ["rate_limit", false],
])("takes a model refused with the code %s for unknown: %s", (code, unknown) => {
  const fault: CLIFault = {
    kind: "refused",
    request: "set_model",
    ...(code === undefined ? undefined : { code }),
  };
  expect(isUnknownModel(new CLIError(fault, "no"))).toBe(unknown);
});

test("knows a session that the CLI does not have from one that it fails with", () => {
  const exited = (stderrTail: string): CLIError =>
    new CLIError({ kind: "exited", code: 1, signal: null, stderrTail }, "ended");
  const id = "00000000-0000-4000-8000-000000000000";
  expect(isUnknownSession(exited(`No conversation found with session ID: ${id}`))).toBe(true);
  expect(isUnknownSession(exited("Error: out of memory"))).toBe(false);
  expect(isUnknownSession(new CLIError({ kind: "closed" }, "No conversation found"))).toBe(false);
  expect(isUnknownModel(exited("not_found"))).toBe(false);
});
