/** Whether the reader sees colours: on a terminal that has them, unless NO_COLOR is set to anything. */
export function wantsColor(isTTY: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  return isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}

/** How a piece of text looks. */
export type Look = "dim" | "bold" | "red" | "green" | "yellow";

/** Puts text in a look; leaves it as it is where there are no colours. */
export type Paint = (look: Look, text: string) => string;

const codes: { readonly [Name in Look]: readonly [on: number, off: number] } = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** The paint for a stream with or without colours. */
export function painter(color: boolean): Paint {
  return (look, text) => {
    const [on, off] = codes[look];
    return color && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  };
}
