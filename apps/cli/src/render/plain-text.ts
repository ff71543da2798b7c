type Mode = "text" | "escape" | "control" | "string" | "string-escape";

/**
 * Takes out of what agents print whatever a terminal would obey rather than show: escape sequences as a
 * whole (colours, titles, clipboard, links), all other C0 and C1 control characters but line feed and tab,
 * and the characters that reorder text. Works on pieces of a stream: a sequence cut in two is still one.
 */
export class PlainText {
  #mode: Mode = "text";
  /** The first half of a character whose second half has not come yet. */
  #half = "";

  /** The visible part of the next piece. */
  push(piece: string): string {
    const whole = this.#half + piece;
    const cut = endsInHalf(whole) ? whole.length - 1 : whole.length;
    this.#half = whole.slice(cut);
    const text = whole.slice(0, cut);
    if (this.#mode === "text" && !suspicious.test(text)) return text;
    return Array.from(text, (char) => this.#step(char)).join("");
  }

  #step(char: string): string {
    const code = char.codePointAt(0) ?? 0;
    switch (this.#mode) {
      case "text":
        return this.#inText(char, code);
      case "escape":
        return this.#afterEscape(char, code);
      case "control":
        return this.#inControl(char, code);
      case "string":
      case "string-escape":
        return this.#inString(char, code);
    }
  }

  #inText(char: string, code: number): string {
    this.#mode = "text";
    if (code === ESC) this.#mode = "escape";
    else if (code === 0x9b) this.#mode = "control";
    else if (isStringStart(code - 0x40)) this.#mode = "string";
    else return isHidden(code) ? "" : char;
    return "";
  }

  #afterEscape(char: string, code: number): string {
    if (code >= 0x20 && code <= 0x2f) return "";
    if (char === "[") this.#mode = "control";
    else if (isStringStart(code)) this.#mode = "string";
    else if (code >= 0x30 && code <= 0x7e) this.#mode = "text";
    else return this.#inText(char, code);
    return "";
  }

  #inControl(char: string, code: number): string {
    if (code >= 0x20 && code <= 0x3f) return "";
    if (code < 0x40 || code > 0x7e) return this.#inText(char, code);
    this.#mode = "text";
    return "";
  }

  /** A line feed ends a string too: a title or a link has none, and what follows must not be swallowed. */
  #inString(char: string, code: number): string {
    const escaped = this.#mode === "string-escape";
    if (char === "\n") return this.#inText(char, code);
    if (escaped && char !== "\\") return this.#continueAfterEscape(char, code);
    if (escaped || stringEnds.has(code)) this.#mode = "text";
    else if (code === ESC) this.#mode = "string-escape";
    return "";
  }

  #continueAfterEscape(char: string, code: number): string {
    this.#mode = "escape";
    return this.#afterEscape(char, code);
  }
}

/** A whole text as a person may see it. */
export function plainText(text: string): string {
  return new PlainText().push(text);
}

/** A whole text on one line. */
export function plainLine(text: string, limit: number): string {
  const line = plainText(text.slice(0, limit * 4))
    .replaceAll(/\s+/gu, " ")
    .trim();
  const chars = Array.from(line);
  return chars.length > limit ? `${chars.slice(0, limit - 1).join("")}…` : line;
}

const ESC = 0x1b;
/** BEL, CAN, SUB and the one-character string terminator. */
const stringEnds: ReadonlySet<number> = new Set([0x07, 0x18, 0x1a, 0x9c]);

/** DCS, SOS, OSC, PM and APC: what follows is a string for the terminal. */
function isStringStart(code: number): boolean {
  return code === 0x50 || code === 0x58 || (code >= 0x5d && code <= 0x5f);
}

function isHidden(code: number): boolean {
  if (code < 0x20) return code !== 0x0a && code !== 0x09;
  return (
    (code >= 0x7f && code <= 0x9f) || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
  );
}

// Everything isHidden names, to pass ordinary text at once.
const suspicious = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
