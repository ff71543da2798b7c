import type { FakeCli, Registered } from "./fake-cli.ts";

interface Request {
  readonly subtype: string;
  readonly [field: string]: unknown;
}

/** Throws what the CLI refuses the request with. */
type Answer = (cli: FakeCli, request: Request) => object | undefined;

/** What the CLI answers to the control requests it knows; `undefined` is a success without a response. */
const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ["initialize", initialize],
  ["interrupt", (cli, request) => cli.interrupt(request["cancel_queued"] === true)],
  ["end_session", () => undefined],
  ["set_model", setModel],
  ["set_permission_mode", setPermissionMode],
  ["set_max_thinking_tokens", () => ({})],
  ["mcp_status", (cli) => ({ mcpServers: cli.mcpServers })],
  ["get_context_usage", () => ({ totalTokens: 1200, maxTokens: 200_000, percentage: 1, categories: [] })],
  ["get_session_cost", () => ({ text: "Estimated cost: $0.0001" })],
  ["rewind_files", () => ({ canRewind: false, error: "File rewinding is not enabled." })],
  ["stop_task", (cli, request) => cli.tasks.get(String(request["task_id"]))?.stop() ?? {}],
  ["background_tasks", () => ({})],
  ["rename_session", () => undefined],
  ["generate_session_title", () => ({ title: "A session" })],
]);

export function isControl(request: Request): boolean {
  return ANSWERS.has(request.subtype);
}

/** The part of an answer that a request decides. */
export function controlAnswer(cli: FakeCli, request: Request): object {
  const response = ANSWERS.get(request.subtype)?.(cli, request);
  return response === undefined ? {} : { response };
}

function setModel(cli: FakeCli, request: Request): object {
  cli.model = String(request["model"]);
  return { model: cli.model };
}

const MODES = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"];

/** The CLI's help calls the default mode `manual`. */
export function modeName(mode: string): string {
  return mode === "manual" ? "default" : mode;
}

function setPermissionMode(cli: FakeCli, request: Request): object {
  const mode = modeName(String(request["mode"]));
  if (!MODES.includes(mode))
    throw new Error(`Cannot set permission mode: must be one of ${MODES.join(", ")}`);
  cli.setPermissionMode(mode);
  return { mode };
}

function initialize(cli: FakeCli, request: Request): object {
  cli.registered = request as Registered;
  return {
    commands: [
      { name: "compact", description: "Clear conversation history but keep a summary", argumentHint: "" },
      { name: "context", description: "Show what fills the context", argumentHint: "", builtin: true },
    ],
    agents: [{ name: "Explore", description: "Read-only search agent", model: "inherit" }],
    output_style: "default",
    available_output_styles: ["default"],
    models: [
      { value: "default", resolvedModel: "claude-opus-5-5", displayName: "Default", description: "Opus 5.5" },
      { value: "haiku", resolvedModel: "claude-haiku-4-5", displayName: "Haiku", description: "Haiku 4.5" },
    ],
    account: { tokenSource: "none", apiKeySource: "ANTHROPIC_API_KEY", apiProvider: "firstParty" },
    pid: process.pid,
    claude_code_version: "2.1.332",
    current_permission_mode: cli.permissionMode,
    session_state: "idle",
    capabilities: ["ui_surface_v1"],
  };
}
