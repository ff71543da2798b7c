import type { Line } from "./lines.ts";

/** The lines that the host writes, one by one; the last one also without a line end. Only LF ends a line. */
export async function* readLines(): AsyncGenerator<string, void> {
  let rest = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
  if (rest !== "") yield rest;
}

/** Why Claude Code ends at a line, if it does: whatever else waits. */
export function badLine(text: string): string | undefined {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return `Error parsing streaming input line (${text.length} chars): SyntaxError`;
  }
  if (line === null) return "Error parsing streaming input line: TypeError";
  const { type, message, request } = line as Line & { readonly message?: { readonly role?: unknown } };
  if (type === "user" && message?.role !== "user")
    return `Error: Expected message role 'user', got '${String(message?.role)}'`;
  if (type === "control_request" && typeof request !== "object")
    return "Error: Missing request on control_request";
  return undefined;
}
