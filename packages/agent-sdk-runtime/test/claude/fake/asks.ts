import type { FakeCli } from "./fake-cli.ts";
import type { ToolOutcome } from "./lines.ts";

/** The host's word on a tool. */
export interface Verdict {
  readonly behavior: "allow" | "deny";
  readonly message?: string;
  readonly interrupt?: boolean;
  readonly updatedInput?: unknown;
  readonly updatedPermissions?: readonly { readonly type: string; readonly mode?: string }[];
}

export const ALLOWED: Verdict = { behavior: "allow" };

/** What a call that was denied is told with. */
export const DENIED: ToolOutcome = {
  isError: true,
  meta: { permission_decision: { decision: "reject", source: "user_reject" } },
};

/** Asks the host whether a tool may run. What is no answer is a denial, in words. */
export async function askHost(
  cli: FakeCli,
  request: { readonly tool_name: string; readonly [field: string]: unknown },
  signal: AbortSignal,
): Promise<Verdict> {
  const suggestions = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
  const told = { display_name: request.tool_name, permission_suggestions: suggestions, ...request };
  const answer = (await cli.request({ subtype: "can_use_tool", ...told }, signal)) as HostAnswer;
  const { behavior, message } = answer.response ?? {};
  if (behavior === "allow" || (behavior === "deny" && typeof message === "string")) {
    for (const { type, mode } of answer.response?.updatedPermissions ?? [])
      if (type === "setMode" && mode !== undefined) cli.setPermissionMode(mode);
    return answer.response as Verdict;
  }
  const { error = "ZodError: invalid response" } = answer;
  return { behavior: "deny", message: `Tool permission request failed: Error: ${error}` };
}

interface HostAnswer {
  readonly error?: string;
  readonly response?: Partial<Verdict>;
}
