export type { HarnessDefinition } from "./definitions.ts";
export { harnessDefinitions } from "./definitions.ts";
export type { ClaudeOptions } from "./claude/options.ts";
export { claude } from "./claude/harness.ts";
export type { PiOptions } from "./pi/options.ts";
export { pi } from "./pi/harness.ts";
