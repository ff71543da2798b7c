import { isAbsolute } from "node:path";
import { stat } from "node:fs/promises";
import type { InputPart } from "@claxedo/agent-event-runtime";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { Harness, HarnessAccess, HarnessChoice } from "../harness/harness.ts";

/** A prompt as parts; `invalid-input` when it says nothing, or is a command that it cannot be. */
export function inputParts(input: string | readonly InputPart[]): readonly InputPart[] {
  const parts: readonly InputPart[] = typeof input === "string" ? [{ type: "text", text: input }] : input;
  const command = parts.find((part) => part.type === "command");
  if (command !== undefined && (parts.length > 1 || !/^\/\S/u.test(command.text)))
    throw new AgentRuntimeError(
      "invalid-input",
      "A command stands alone and begins with a slash and its name, as in /compact.",
    );
  const says = parts.some((part) => part.type !== "text" || part.text.trim() !== "");
  if (!says)
    throw new AgentRuntimeError("invalid-input", "The prompt is empty; say what the agent is to do.");
  return parts;
}

/** A directory an agent can work in; `invalid-input` or `directory-missing` otherwise. */
export async function workDirectory(directory: string): Promise<string> {
  if (!isAbsolute(directory)) {
    throw new AgentRuntimeError(
      "invalid-input",
      `The directory must be an absolute path, not "${directory}".`,
    );
  }
  const found = await stat(directory).catch(() => undefined);
  if (found?.isDirectory()) return directory;
  throw new AgentRuntimeError(
    "directory-missing",
    `${directory} is not an existing directory; make it or name another.`,
  );
}

/** The harness a session asks for, and the access it gets; `harness-unknown` or `access-unsupported` otherwise. */
export function chooseHarness(
  harnesses: readonly Harness[],
  wanted: { readonly id: string; readonly access?: HarnessAccess },
): { readonly harness: Harness; readonly choice: HarnessChoice } {
  const harness = harnesses.find((known) => known.id === wanted.id);
  if (harness === undefined) {
    const names = harnesses.map((known) => known.id).join(", ") || "none";
    throw new AgentRuntimeError(
      "harness-unknown",
      `There is no harness "${wanted.id}" in this runtime; it has: ${names}.`,
    );
  }
  const access = wanted.access ?? harness.access[0];
  if (access !== undefined && harness.access.includes(access))
    return { harness, choice: { id: harness.id, access } };
  throw new AgentRuntimeError(
    "access-unsupported",
    `Harness "${harness.id}" cannot be reached by "${access}"; use ${harness.access.join(" or ")}.`,
  );
}
