import { plainLine } from "../render/plain-text.ts";
import type { Paint } from "../render/style.ts";

/** What was found about one thing. `ok` is false when the command cannot work like this. */
export interface Finding {
  readonly what: "node" | "store" | "harness" | "orphans";
  readonly ok: boolean;
  /** One sentence that says how it is, and what to do where it is not well. */
  readonly message: string;
  /** The same for programs. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

/** Whether the command is usable: all is well, but that one harness of several is enough. */
export function isUsable(findings: readonly Finding[]): boolean {
  const harnesses = findings.filter(({ what }) => what === "harness");
  const others = findings.filter(({ what }) => what !== "harness");
  return others.every(({ ok }) => ok) && harnesses.some(({ ok }) => ok);
}

/** The findings for people, one a line. */
export function findingLines(findings: readonly Finding[], paint: Paint): string {
  const lines = findings.map(({ ok, message }) => {
    const mark = ok ? paint("green", "✓") : paint("red", "✗");
    return `${mark} ${plainLine(message, 600)}\n`;
  });
  return lines.join("");
}

/** The findings for programs. */
export function findingsJson(findings: readonly Finding[]): unknown {
  return { type: "doctor", ok: isUsable(findings), findings };
}
