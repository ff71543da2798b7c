import { parseArgs } from "node:util";
import { UsageError } from "../usage-error.ts";
import type { CommandSpec } from "./command-specs.ts";

/** The words of one command, taken apart. */
export interface CommandLine {
  text(option: string): string | undefined;
  flag(option: string): boolean;
  /** Everything beside options; `literal` when it stood after `--`. */
  readonly positionals: readonly { readonly text: string; readonly literal: boolean }[];
}

/** Takes the words after a command's name apart; a UsageError when one of them is not for it. */
export function readCommandLine(spec: CommandSpec, words: readonly string[]): CommandLine {
  const { values: parsed, tokens } = parse(spec, words);
  const values = new Map<string, unknown>(Object.entries(parsed));
  const end = tokens.find((token) => token.kind === "option-terminator")?.index ?? words.length;
  const positionals = tokens.flatMap((token) =>
    token.kind === "positional" ? [{ text: token.value, literal: token.index > end }] : [],
  );
  return {
    text: (option) => textOf(spec, option, values.get(option)),
    flag: (option) => values.get(option) === true,
    positionals,
  };
}

function parse(spec: CommandSpec, words: readonly string[]) {
  const known = spec.options.map(
    ({ name, value }) => [name, { type: value === undefined ? "boolean" : "string" }] as const,
  );
  try {
    return parseArgs({
      args: [...words],
      options: { ...Object.fromEntries(known), help: { type: "boolean", short: "h" } },
      allowPositionals: true,
      tokens: true,
    });
  } catch (error) {
    // Node's messages name the option and how to write it, some of them on several lines.
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(message.replaceAll("\n", " "), spec.name);
  }
}

function textOf(spec: CommandSpec, option: string, value: unknown): string | undefined {
  if (value === "") throw new UsageError(`--${option} needs a value.`, spec.name);
  return typeof value === "string" ? value : undefined;
}
