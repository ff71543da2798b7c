import { type CommandName, type CommandSpec, commandSpecs, type OptionSpec } from "./command-specs.ts";

/** The help of one command, or the list of all. */
export function helpText(of?: CommandName): string {
  const spec = commandSpecs.find(({ name }) => name === of);
  return spec === undefined ? overview() : commandHelp(spec);
}

function overview(): string {
  return [
    "claxedo runs coding agents, keeps what they do in a local database, and survives the loss of its own process.",
    "",
    "Usage: claxedo COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...columns(commandSpecs.map(({ name, usage, about }) => [`${name} ${usage}`.trimEnd(), about])),
    "",
    "claxedo COMMAND --help tells more about a command; claxedo --version names the version.",
    "",
  ].join("\n");
}

function commandHelp(spec: CommandSpec): string {
  const { name, usage, about, options, notes } = spec;
  const sentence = about.charAt(0).toUpperCase() + about.slice(1);
  return [
    `${sentence}.`,
    "",
    `Usage: ${["claxedo", name, options.length > 0 ? "[OPTIONS]" : "", usage].filter(Boolean).join(" ")}`,
    ...(options.length > 0 ? ["", "Options:", ...columns(options.map(optionRow))] : []),
    ...(notes.length > 0 ? ["", ...notes] : []),
    "",
  ].join("\n");
}

function optionRow({ name, value, about }: OptionSpec): readonly [string, string] {
  return [value === undefined ? `--${name}` : `--${name} ${value}`, about];
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  const indent = " ".repeat(width + 4);
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right.replaceAll("\n", `\n${indent}`)}`);
}
