import type { Turn } from "../../turn.ts";
import type { Input } from "./tool.ts";

interface HookAnswer {
  readonly response?: {
    readonly hookSpecificOutput?: {
      readonly permissionDecision?: string;
      readonly permissionDecisionReason?: string;
    };
  };
}

/** Calls the host's hooks before a tool; why one of them refuses it, if one does. */
export async function hookRefusal(turn: Turn, name: string, input: Input): Promise<string | undefined> {
  for (const { matcher, hookCallbackIds } of turn.cli.registered.hooks?.["PreToolUse"] ?? []) {
    if (matcher !== undefined && matcher !== name) continue;
    for (const id of hookCallbackIds) {
      const told = { hook_event_name: "PreToolUse", tool_name: name, tool_input: input };
      const request = { subtype: "hook_callback", callback_id: id, input: told };
      const { response } = (await turn.wait(turn.cli.request(request, turn.signal))) as HookAnswer;
      const { permissionDecision, permissionDecisionReason } = response?.hookSpecificOutput ?? {};
      if (permissionDecision === "deny") return permissionDecisionReason ?? "A hook refused it.";
    }
  }
  return undefined;
}
