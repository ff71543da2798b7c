export type { AuxiliaryCall } from "./choice/auxiliary.ts";
export type { RequestRule } from "./choice/rule.ts";
export { type MockModels, type MockModelsOptions, startMockModels } from "./mock-models.ts";
export { script, scriptNamed } from "./script/directive.ts";
export type { ModelBlock, ModelReply, ModelStep } from "./script/model-step.ts";
export { parseScripts, parseSteps, type Scripts } from "./script/parse.ts";
export type { ModelRequest } from "./server/request-log.ts";
