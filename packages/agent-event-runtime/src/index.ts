export { assertNever } from "./base/assert-never.ts";
export type { Json, JsonObject } from "./base/json.ts";
export type * from "./event/agent-runtime-event.ts";
export type * from "./event/event-values.ts";
export { combineUsage } from "./event/usage.ts";
export type { CoreDiagnosticCode, Diagnostic } from "./event/diagnostic.ts";
export type {
  AdapterContext,
  BrokenFrame,
  EventAdapter,
  FrameNote,
  QuietFrame,
  RawFrame,
  Reduction,
  UnsentFrame,
  WireFrame,
} from "./translation/event-adapter.ts";
export type { OpenItem, OpenKind, RecentItem } from "./translation/open-items.ts";
export type { Delivery, Routed, Router } from "./translation/router.ts";
export { singleSession } from "./translation/router.ts";
export type { RuntimeSnapshot } from "./translation/runtime-snapshot.ts";
export { emptySnapshot } from "./translation/runtime-snapshot.ts";
export type { Step } from "./translation/translator.ts";
export { begin, emit, finish, translate } from "./translation/translator.ts";
export type { EventHandlers, Projected, Projection } from "./projection/projection.ts";
export { dispatch } from "./projection/projection.ts";
export type { ProjectionSnapshot } from "./projection/projection-snapshot.ts";
export { emptyProjection, restoreProjection } from "./projection/projection-snapshot.ts";
export type { Applied } from "./projection/projector.ts";
export { apply } from "./projection/projector.ts";
export { adapters } from "./adapters/registry.ts";
export { claudeAdapter } from "./adapters/claude/adapter.ts";
export type { ClaudeState } from "./adapters/claude/claude-state.ts";
export { piAdapter } from "./adapters/pi/adapter.ts";
export type { PiState } from "./adapters/pi/pi-state.ts";
export type { JsonRpcError, JsonRpcFault, JsonRpcId, JsonRpcMessage } from "./framing/json-rpc.ts";
export { readJsonRpc } from "./framing/json-rpc.ts";
export type { NdjsonDecoder, NdjsonFault, NdjsonFrame, NdjsonOptions } from "./framing/ndjson.ts";
export { createNdjsonDecoder } from "./framing/ndjson.ts";
export type { SseDecoder, SseEvent, SseFault, SseOptions } from "./framing/sse.ts";
export { createSseDecoder } from "./framing/sse.ts";
export type * from "./projections/transcript/rows.ts";
export type { TranscriptState } from "./projections/transcript/transcript-state.ts";
export { openRows, transcript } from "./projections/transcript/transcript.ts";
export type { DebugTraceState } from "./projections/debug-trace/trace-state.ts";
export { debugTrace } from "./projections/debug-trace/debug-trace.ts";
export { projections } from "./projections/registry.ts";
