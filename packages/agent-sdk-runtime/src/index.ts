export type { AgentRuntimeErrorCode } from "./errors/agent-runtime-error.ts";
export { AgentRuntimeError } from "./errors/agent-runtime-error.ts";
export type {
  ConnectRequest,
  Harness,
  HarnessAccess,
  HarnessCapabilities,
  HarnessChoice,
  HarnessHealth,
  PromptRequest,
} from "./harness/harness.ts";
export { FrameQueue } from "./harness/frame-queue.ts";
export type { HarnessConnection } from "./harness/harness-connection.ts";
export type { AgentRuntimeOptions } from "./runtime/agent-runtime.ts";
export { createAgentRuntime } from "./runtime/agent-runtime.ts";
export type * from "./runtime/runtime-api.ts";
export type { Deadlines } from "./session/session-config.ts";
export { defaultDeadlines } from "./session/session-config.ts";
export type * from "./session/session-state.ts";
export type * from "./stores/session-store.ts";
