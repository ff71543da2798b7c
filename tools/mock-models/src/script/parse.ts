import * as z from "zod";
import type { ModelStep } from "./model-step.ts";
import { scriptsSchema, stepsSchema } from "./step-schema.ts";

/** Scripts by their names: letters, digits and `_ . -`. */
export type Scripts = Readonly<Record<string, readonly ModelStep[]>>;

/**
 * Reads the steps of a script strictly: a key that no step knows is an error.
 *
 * @throws {TypeError} that names every place where something is wrong, and what.
 */
export function parseSteps(value: unknown): readonly ModelStep[] {
  return checked(stepsSchema, value, "steps");
}

/**
 * Reads scripts by name, as strictly.
 *
 * @throws {TypeError} as {@link parseSteps} does.
 */
export function parseScripts(value: unknown): Scripts {
  return checked(scriptsSchema, value, "scripts");
}

function checked<Out>(schema: z.ZodType<Out>, value: unknown, what: string): Out {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new TypeError(issuesText(parsed.error, what));
}

/** Every issue with its place, such as `steps[0].blocks[1]: Unrecognized key: "txt"`. */
export function issuesText(error: z.ZodError, what: string): string {
  return error.issues
    .map(({ path, message }) => `${z.core.toDotPath([what, ...path])}: ${message}`)
    .join("; ");
}
