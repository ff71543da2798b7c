// Answers `set_model` as Claude Code does when its model provider does.
import { readLines } from "../../../claude/fake/fake-cli.ts";

const REFUSALS = {
  "no-such-model": { error: "Model 'no-such-model' not found", error_code: "not_found" },
  unrecognised: {
    error: 'Model "(unrecognized model name)" is not recognized',
    error_code: "catalog_unknown",
  },
  "without-code": { error: "There is no such model." },
  unreachable: { error: "Network error · model not changed", error_code: "check_unreachable" },
};
const model = process.argv.find((arg) => arg.startsWith("--model="))?.slice("--model=".length);
const models = [
  { value: "haiku", resolvedModel: "claude-haiku-5-5" },
  // What it was started with is offered as well, whatever that is.
  ...(model === undefined ? [] : [{ value: model, resolvedModel: model }]),
];

for await (const line of readLines()) {
  const { request_id, request } = JSON.parse(line);
  const refusal =
    request.subtype === "set_model" ? (REFUSALS[request.model] ?? { error: "asked in vain" }) : undefined;
  const told =
    refusal === undefined ? { subtype: "success", response: { models } } : { subtype: "error", ...refusal };
  process.stdout.write(
    `${JSON.stringify({ type: "control_response", response: { request_id, ...told } })}\n`,
  );
  if (request.subtype === "end_session") break;
}
