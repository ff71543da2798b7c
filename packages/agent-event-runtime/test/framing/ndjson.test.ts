import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type NdjsonFault,
  type NdjsonFrame,
  type NdjsonOptions,
  type RawFrame,
  createNdjsonDecoder,
} from "../../src/index.ts";

type Found = NdjsonFrame | NdjsonFault;

const encoder = new TextEncoder();

function bytes(...pieces: readonly (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    pieces.flatMap((piece) => [...(typeof piece === "string" ? encoder.encode(piece) : piece)]),
  );
}

function decode(chunks: readonly Uint8Array[], options?: NdjsonOptions): readonly Found[] {
  const decoder = createNdjsonDecoder(options);
  return [...chunks.flatMap((chunk) => decoder.push(chunk, 7)), ...decoder.end(7)];
}

function values(found: readonly Found[]): readonly unknown[] {
  return found.map((frame) => ("payload" in frame ? frame.payload : `${frame.reason}: ${frame.bytes}`));
}

function cut(whole: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...ends].map((start, index) => whole.slice(start, ends[index] ?? whole.length));
}

/** Everything that a stream of lines can hold. */
const everything = bytes(
  [0xef, 0xbb, 0xbf],
  '{"a":1}\r\n',
  "\n",
  "  \r\n",
  '"grüße \u2028 \u2029 😀"\n',
  "not json\n",
  [0x22, 0xff, 0xfe, 0x22, 0x0a],
  `"${"y".repeat(40)}"\n`,
  "[1,2]\r\r\n",
  "null\n",
  '{"last":"é"}',
);

describe("the decoder of newline-delimited JSON", () => {
  test("its frames fit where translation wants a frame", () => {
    expectTypeOf<Found>().toExtend<RawFrame>();
  });

  test("yields one frame a line, stamped with the given time", () => {
    expect(decode([bytes('{"a":1}\n2\n')])).toEqual([
      { dir: "received", channel: "", payload: { a: 1 }, at: 7 },
      { dir: "received", channel: "", payload: 2, at: 7 },
    ]);
  });

  test("ends lines at LF only, drops one byte order mark and leaves other line separators alone", () => {
    expect(values(decode([everything], { maxLineBytes: 40 }))).toEqual([
      { a: 1 },
      "grüße \u2028 \u2029 😀",
      "not JSON: 8",
      "not UTF-8: 4",
      "too long: 42",
      [1, 2],
      null,
      { last: "é" },
    ]);
  });

  test("takes a byte order mark for a fault anywhere but at the start of the stream", () => {
    const mark = [0xef, 0xbb, 0xbf];
    expect(values(decode([bytes(mark, "1\n", mark, "2\n")]))).toEqual([1, "not JSON: 4"]);
    expect(values(decode([bytes("\n", mark, "2\n")]))).toEqual(["not JSON: 4"]);
  });

  test("keeps the beginning of a line that it cannot read", () => {
    const [found] = decode([bytes("x".repeat(5000), "\n")]);
    expect(found).toMatchObject({
      kind: "broken",
      text: "x".repeat(1024),
      bytes: 5000,
      reason: "not JSON",
      at: 7,
    });
  });

  test("gives the same frames for every cut of a stream in two", () => {
    const whole = decode([everything], { maxLineBytes: 40 });
    for (let place = 0; place <= everything.length; place += 1) {
      expect(decode([everything.slice(0, place), everything.slice(place)], { maxLineBytes: 40 })).toEqual(
        whole,
      );
    }
  });

  test("gives the same frames for any bytes, cut anywhere, with any cap", () => {
    const piece = fc.oneof(
      fc.constantFrom<readonly number[]>(
        [0x0a],
        [0x0d, 0x0a],
        [0x0d],
        [0xef, 0xbb, 0xbf],
        [0xff],
        [0xc3],
        [0xa9],
        [0x20],
      ),
      fc.json({ maxDepth: 1 }).map((text) => [...encoder.encode(text)]),
      fc.array(fc.nat(255), { maxLength: 5 }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat()),
        fc.nat(30),
        (pieces, places, maxLineBytes) => {
          const whole = bytes(...pieces);
          expect(decode(cut(whole, places), { maxLineBytes })).toEqual(decode([whole], { maxLineBytes }));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("counts the cap in bytes of the line, its end not included", () => {
    expect(values(decode([bytes('"éé"\r\n', '"éé"\n', '"éé "\n')], { maxLineBytes: 6 }))).toEqual([
      "éé",
      "éé",
      "too long: 7",
    ]);
  });

  test("goes on after a line that is too long, without holding it", () => {
    const decoder = createNdjsonDecoder({ maxLineBytes: 1000 });
    const megabyte = new Uint8Array(1024 * 1024).fill(0x61);
    const found = Array.from({ length: 64 }, () => decoder.push(megabyte, 0)).flat();
    expect([...found, ...decoder.push(bytes("\n1\n"), 0)]).toMatchObject([
      { kind: "broken", reason: "too long", bytes: 64 * 1024 * 1024 },
      { payload: 1 },
    ]);
  });

  test("does not look at a chunk again after push", () => {
    const decoder = createNdjsonDecoder();
    const chunk = bytes('{"a":');
    decoder.push(chunk, 0);
    chunk.fill(0);
    expect(values(decoder.push(bytes("1}\n"), 0))).toEqual([{ a: 1 }]);
  });

  test("takes a line that comes byte by byte in time that grows with its length", () => {
    const decoder = createNdjsonDecoder();
    const line = encoder.encode(JSON.stringify("z".repeat(100_000)));
    const started = performance.now();
    for (const byte of line) decoder.push(Uint8Array.of(byte), 0);
    expect(decoder.end(0)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test("says nothing at the end of a stream without a rest", () => {
    expect(decode([])).toEqual([]);
    expect(decode([bytes("1\n")])).toHaveLength(1);
  });
});
