import { describe, expect, test } from "vitest";
import { createNdjsonDecoder } from "../../src/index.ts";
import { type FrameDecoder, framingConformance } from "../../src/testing/index.ts";

type Make = (options?: { readonly maxLineBytes: number }) => FrameDecoder;

const good: Make = (options) => createNdjsonDecoder(options);

function parsed(line: string, at: number): unknown {
  try {
    return { dir: "received", channel: "", payload: JSON.parse(line), at };
  } catch {
    return { kind: "broken", text: line, bytes: line.length, reason: "not JSON", at };
  }
}

/** A decoder that splits text, each chunk made text by `read`. */
function textual(read: (chunk: Uint8Array) => string, separator: RegExp = /\r?\n/): FrameDecoder {
  let rest = "";
  const values = (lines: readonly string[], at: number): readonly unknown[] =>
    lines.filter((line) => line.trim() !== "").map((line) => parsed(line, at));
  return {
    push(chunk, at) {
      const lines = (rest + read(chunk)).split(separator);
      rest = lines.pop() ?? "";
      return values(lines, at);
    },
    end: (at) => values([rest], at),
  };
}

function streaming(): (chunk: Uint8Array) => string {
  const decoder = new TextDecoder();
  return (chunk) => decoder.decode(chunk, { stream: true });
}

/** Decoders that break one promise each. */
const bad: readonly (readonly [id: string, fault: string, decoder: Make])[] = [
  [
    "framing-total",
    "throws on bytes that are no UTF-8",
    () => textual((chunk) => new TextDecoder("utf-8", { fatal: true }).decode(chunk)),
  ],
  [
    "framing-cut-in-two",
    "decodes each chunk for itself",
    () => textual((chunk) => new TextDecoder().decode(chunk)),
  ],
  [
    "framing-chunk-blind",
    "takes a chunk for a line",
    () => ({ push: (chunk, at) => [parsed(new TextDecoder().decode(chunk), at)], end: () => [] }),
  ],
  [
    "framing-keeps-nothing",
    "keeps the caller's chunk",
    () => {
      const chunks: Uint8Array[] = [];
      return {
        push: (chunk) => (chunks.push(chunk), []),
        end(at) {
          const decoder = createNdjsonDecoder();
          return [...chunks.flatMap((chunk) => decoder.push(chunk, at)), ...decoder.end(at)];
        },
      };
    },
  ],
  ["lines-end", "drops a last line without an end", (options) => ({ ...good(options), end: () => [] })],
  [
    "lines-mark",
    "takes a byte order mark for a part of the first line",
    () => textual(streaming()).valueOf() as FrameDecoder,
  ],
  [
    "lines-separators",
    "ends lines at every separator of Unicode",
    () => textual(streaming(), /\r?\n|[\u2028\u2029\u0085]/),
  ],
  [
    "lines-broken",
    "drops what it cannot read",
    (options) => {
      const decoder = good(options);
      const sound = (frames: readonly unknown[]): readonly unknown[] =>
        frames.filter((frame) => !JSON.stringify(frame).includes("broken"));
      return { push: (chunk, at) => sound(decoder.push(chunk, at)), end: (at) => sound(decoder.end(at)) };
    },
  ],
  [
    "lines-cap",
    "counts the line's end",
    (options) => good(options === undefined ? undefined : { maxLineBytes: options.maxLineBytes - 1 }),
  ],
  [
    "lines-line-ends",
    "leaves CR in the line",
    () => textual((chunk) => new TextDecoder("latin1").decode(chunk).replaceAll("\r", "x"), /\n/),
  ],
];

const bytes = new TextEncoder().encode('{"grüße":"\u2028 😀"}\n{"a":[1,2]}\n');
const streams = [{ name: "two lines", bytes }];

describe("the kit finds framings that break a law", () => {
  test.each(bad)("%s: a decoder that %s", (id, _fault, decoder) => {
    const cases = framingConformance({ decoder, streams, supports: { lines: true } });
    expect(cases.find((one) => one.id === id)?.run).toThrow();
  });

  test("has no case that no bad decoder fails, and lets a good one pass", () => {
    const failed = new Set(bad.map(([id]) => id));
    const cases = framingConformance({ decoder: good, streams, supports: { lines: true } });
    expect(cases.filter(({ id }) => !failed.has(id))).toEqual([]);
    for (const { run } of cases) expect(run).not.toThrow();
  });
});
