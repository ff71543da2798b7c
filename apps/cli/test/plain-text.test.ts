import { expect, test } from "vitest";
import { PlainText, plainLine, plainText } from "../src/render/plain-text.ts";

const cases: readonly (readonly [what: string, text: string, visible: string])[] = [
  ["colours", "a\u001b[1;31mb\u001b[0mc", "abc"],
  ["a title", "a\u001b]0;title\u0007b", "ab"],
  ["a link, ended by ST", "\u001b]8;;javascript:x\u001b\\click\u001b]8;;\u001b\\", "click"],
  ["the clipboard", "ok\u001b]52;c;cHdu\u0007!", "ok!"],
  ["sequences of one 8-bit character", "\u009b31ma\u009d0;t\u009cb\u0090q\u001b\\c", "abc"],
  ["a device control string", "\u001bPq#0\u001b\\a", "a"],
  ["a choice of character set", "\u001b(0a\u001bc\u001b7b", "ab"],
  ["a string that never ends, up to the end of its line", "a\u001b]0;b\nc", "a\nc"],
  ["a string that another sequence breaks off", "\u001b]0;a\u001b[31mb", "b"],
  ["a sequence that a line feed breaks off", "\u001b[3\nb", "\nb"],
  ["backspaces, bells and returns", "a\bb\u0007c\r\nd\re\u007f\u0000", "abc\nde"],
  ["text turned round", "a\u202eb\u2066c\u2069d", "abcd"],
];

test.for(cases)("takes out %s", ([, text, visible]) => {
  expect(plainText(text)).toBe(visible);
});

test.for(cases)("takes out %s, however the text is cut", ([, text, visible]) => {
  for (let cut = 0; cut <= text.length; cut += 1) {
    const stream = new PlainText();
    expect(stream.push(text.slice(0, cut)) + stream.push(text.slice(cut))).toBe(visible);
  }
  const stream = new PlainText();
  expect(Array.from(text, (char) => stream.push(char)).join("")).toBe(visible);
});

test("leaves every other character as it is", () => {
  const text = "tab\t, é, \u2028, \u200f, 日本, 👍🏽 and \ufffd";
  expect(plainText(text)).toBe(text);
});

test("puts a character together that was cut in two", () => {
  const stream = new PlainText();
  expect(stream.push("a\ud83d")).toBe("a");
  expect(stream.push("\ude00b")).toBe("😀b");
});

test("makes one line of a text, and shortens it by whole characters", () => {
  expect(plainLine(" a\n\tb\u001b[2J  c ", 80)).toBe("a b c");
  expect(plainLine("😀😀😀", 2)).toBe("😀…");
});
