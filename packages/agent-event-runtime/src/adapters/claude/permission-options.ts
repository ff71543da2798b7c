import { list, text } from "../../base/read.ts";
import type { PermissionOption } from "../../event/event-values.ts";

/**
 * What may be answered to a permission request: allow, allow and more of the same (as the CLI suggests),
 * deny.
 */
export function permissionOptions(request: unknown): readonly PermissionOption[] {
  const suggestions = list(request, "permission_suggestions");
  return [
    { optionId: "allow", label: "Allow", effect: "allow", scope: "once" },
    ...suggestions.map((suggestion, index) => suggested(suggestion, index)),
    { optionId: "deny", label: "Deny", effect: "deny", scope: "once" },
  ];
}

function suggested(suggestion: unknown, index: number): PermissionOption {
  return {
    optionId: `suggestion-${index}`,
    label: `Allow, and ${describe(suggestion)}`,
    effect: "allow",
    scope: scopeOf([suggestion]),
  };
}

function describe(suggestion: unknown): string {
  switch (text(suggestion, "type")) {
    case "addRules":
      return `always allow ${list(suggestion, "rules").map(rule).join(", ") || "this"}`;
    case "addDirectories": {
      const directories = list(suggestion, "directories").filter((path) => typeof path === "string");
      return `work in ${directories.join(", ") || "this directory"}`;
    }
    case "setMode":
      return `switch to the mode ${text(suggestion, "mode") ?? "suggested"}`;
    default:
      return "do as the CLI suggests";
  }
}

function rule(value: unknown): string {
  const tool = text(value, "toolName") ?? "this tool";
  const content = text(value, "ruleContent");
  return (content === undefined ? tool : `${tool}(${content})`).slice(0, 300);
}

/** How long changes of permissions hold: what is written into settings outlives the session. */
export function scopeOf(updates: readonly unknown[]): "once" | "session" | "always" {
  if (updates.length === 0) return "once";
  return updates.every((update) => text(update, "destination") === "session") ? "session" : "always";
}
