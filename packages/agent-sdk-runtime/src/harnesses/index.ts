export type { HarnessDefinition } from "./definitions.ts";
export { harnessDefinitions } from "./definitions.ts";
export type { PiOptions } from "./pi/options.ts";
export { pi } from "./pi/harness.ts";
