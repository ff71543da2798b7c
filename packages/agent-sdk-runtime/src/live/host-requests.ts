import { messageOf } from "../base/message-of.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import type { ControlAnswer } from "./input.ts";
import { type ClaudeMessage, field, textField } from "./messages.ts";
import type { CanUseTool, Hook, LiveSessionOptions, ToolAnswer } from "./options.ts";

/** What a host is asked by programs, and how its answers leave. */
export interface HostRequestsOptions extends Pick<LiveSessionOptions, "hooks" | "mcpServers" | "canUseTool"> {
  /** Writes an answer. */
  readonly write: (answer: ControlAnswer) => Promise<void>;
}

/** What a person may be asked. Of other kinds nobody would know the answer. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(["can_use_tool", "elicitation", "request_user_dialog"]);

/**
 * Answers the requests of the CLI by the host's callbacks. A callback that throws is a refusal in words; a
 * request that the CLI withdraws is not answered any more.
 */
export class HostRequests {
  readonly #options: HostRequestsOptions;
  readonly #hooks: ReadonlyMap<string, Hook>;
  /** Open requests by the mark of their id. */
  readonly #open = new Map<string, AbortController>();

  constructor(options: HostRequestsOptions) {
    this.#options = options;
    this.#hooks = new Map(namedHooks(options.hooks).map(({ id, hook }) => [id, hook]));
  }

  /** What the CLI must be told at its start. */
  get registration(): Readonly<Record<string, unknown>> {
    const { hooks, mcpServers = {} } = this.#options;
    const hosted = Object.keys(mcpServers).filter((name) => mcpServers[name]?.type === "sdk");
    return {
      ...(hooks === undefined ? undefined : { hooks: hookTable(hooks) }),
      ...(hosted.length === 0 ? undefined : { sdkMcpServers: hosted }),
    };
  }

  /** Takes a `control_request`; one that is a person's to answer by hand is left. */
  take(message: ClaudeMessage): void {
    const handler = this.#handlerOf(message);
    if (handler === undefined) return;
    const requestId = message["request_id"];
    const withdrawal = new AbortController();
    this.#open.set(markOf(requestId), withdrawal);
    void this.#answer(requestId, handler, withdrawal.signal);
  }

  /** Takes a `control_cancel_request`. */
  withdraw(requestId: unknown): void {
    this.#open.get(markOf(requestId))?.abort();
    this.#open.delete(markOf(requestId));
  }

  /** Nobody waits for any answer any more. */
  end(): void {
    for (const withdrawal of this.#open.values()) withdrawal.abort();
    this.#open.clear();
  }

  async #answer(requestId: unknown, handler: Handler, signal: AbortSignal): Promise<void> {
    const answer = await answerOf(requestId, handler, signal);
    if (signal.aborted) return;
    this.#open.delete(markOf(requestId));
    const { write } = this.#options;
    // The CLI would wait for ever for an answer that is no JSON. Other failures are the session's to tell.
    await write(answer)
      .catch(async (error: unknown) => {
        if (AgentRuntimeError.is(error)) await write(refusal(requestId, error));
      })
      .catch(() => undefined);
  }

  #handlerOf(message: ClaudeMessage): Handler | undefined {
    const { request } = message;
    const { canUseTool } = this.#options;
    const subtype = textField(request, "subtype");
    switch (subtype) {
      case "can_use_tool":
        if (typeof canUseTool === "function") return (signal) => decide(canUseTool, request, signal);
        break;
      case "hook_callback":
        return (signal) => this.#runHook(request, signal);
      case "mcp_message":
        return (signal) => this.#passToServer(request, signal);
      case undefined:
    }
    if (canUseTool === "manual" && subtype !== undefined && FOR_PEOPLE.has(subtype)) return undefined;
    return () => Promise.reject(new Error(`This host does not answer requests of the kind ${subtype}.`));
  }

  async #runHook(request: unknown, signal: AbortSignal): Promise<unknown> {
    const id = textField(request, "callback_id") ?? "";
    const hook = this.#hooks.get(id);
    if (hook === undefined) throw new Error(`This host has no hook "${id}".`);
    return (await hook.callback(field(request, "input"), signal)) ?? {};
  }

  async #passToServer(request: unknown, signal: AbortSignal): Promise<unknown> {
    const name = textField(request, "server_name") ?? "";
    const server = this.#options.mcpServers?.[name];
    if (typeof server?.onMessage !== "function") throw new Error(`This host has no MCP server "${name}".`);
    const response: unknown = await server.onMessage(field(request, "message"), signal);
    // The CLI wants an answer to a notification as well, and takes no notice of what is in it.
    return { mcp_response: response ?? { jsonrpc: "2.0", id: 0, result: {} } };
  }
}

type Handler = (signal: AbortSignal) => Promise<unknown>;

async function answerOf(requestId: unknown, handler: Handler, signal: AbortSignal): Promise<ControlAnswer> {
  try {
    return { subtype: "success", request_id: requestId, response: await handler(signal) };
  } catch (error) {
    return refusal(requestId, error);
  }
}

function refusal(requestId: unknown, error: unknown): ControlAnswer {
  return { subtype: "error", request_id: requestId, error: messageOf(error) };
}

async function decide(canUseTool: CanUseTool, request: unknown, signal: AbortSignal): Promise<ToolAnswer> {
  const toolUseId = textField(request, "tool_use_id");
  const suggestions = field(request, "permission_suggestions");
  try {
    const answer = await canUseTool({
      toolName: textField(request, "tool_name") ?? "unknown",
      input: field(request, "input"),
      ...(toolUseId === undefined ? undefined : { toolUseId }),
      suggestions: Array.isArray(suggestions) ? suggestions : [],
      request,
      signal,
    });
    if (isAnswer(answer)) return answer;
    throw new Error("it answered neither allow nor deny with a message");
  } catch (error) {
    return {
      behavior: "deny",
      message: `The host could not decide whether this may run: ${messageOf(error)}`,
    };
  }
}

function isAnswer(answer: ToolAnswer | undefined): boolean {
  if (answer?.behavior === "deny") return typeof answer.message === "string";
  if (answer?.behavior !== "allow") return false;
  const { updatedInput } = answer;
  return updatedInput === undefined || (typeof updatedInput === "object" && updatedInput !== null);
}

interface NamedHook {
  readonly id: string;
  readonly event: string;
  readonly hook: Hook;
}

function namedHooks(hooks: LiveSessionOptions["hooks"]): readonly NamedHook[] {
  const all = Object.entries(hooks ?? {}).flatMap(([event, list]) => list.map((hook) => ({ event, hook })));
  return all.map((named, index) => ({ id: `hook_${index}`, ...named }));
}

function hookTable(hooks: NonNullable<LiveSessionOptions["hooks"]>): Readonly<Record<string, unknown>> {
  const named = namedHooks(hooks);
  const rows = Object.keys(hooks).map((event) => [
    event,
    named
      .filter((each) => each.event === event)
      .map(({ id, hook: { matcher } }) => ({
        ...(matcher === undefined ? undefined : { matcher }),
        hookCallbackIds: [id],
      })),
  ]);
  return Object.fromEntries(rows) as Readonly<Record<string, unknown>>;
}

/** Ids keep their type: `1` is not `"1"`. */
function markOf(requestId: unknown): string {
  return JSON.stringify(requestId) ?? "";
}
