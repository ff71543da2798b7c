import { field, number } from "../base/read.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { expectEqual } from "./equality.ts";
import { type FramingSubject, decoded } from "./framing-subject.ts";

const LF = 0x0a;
const CR = 0x0d;
const MARK = [0xef, 0xbb, 0xbf];

/** What holds for framings whose frames are lines with one JSON value each. */
export function lineCases(subject: FramingSubject): readonly ConformanceCase[] {
  const { decoder } = subject;
  const read = (...pieces: readonly (string | readonly number[])[]): readonly unknown[] =>
    decoded(decoder(), [bytes(...pieces)]).map(told);
  const capped = (maxLineBytes: number, ...pieces: readonly string[]): readonly unknown[] =>
    decoded(decoder({ maxLineBytes }), [bytes(...pieces)]).map(told);
  return [
    {
      id: "lines-end",
      title: "ends lines at LF, with or without CR, and reads a last line that has no end",
      run: () =>
        expectEqual(
          read('{"a":1}\r\n', "2\n", "\n", "  \r\n", "3\r\r\n", "4"),
          [{ a: 1 }, 2, 3, 4],
          "values",
        ),
    },
    {
      id: "lines-mark",
      title: "drops a byte order mark at the start of the stream, and only there",
      run: () => expectEqual(read(MARK, "1\n", MARK, "2\n"), [1, "broken, 4 bytes"], "values"),
    },
    {
      id: "lines-separators",
      title: "does not take other line separators of Unicode for the end of a line",
      run: () =>
        expectEqual(
          read([0x22, 0xe2, 0x80, 0xa8, 0xc2, 0x85, 0xe2, 0x80, 0xa9, 0x22, LF]),
          ["\u2028\u0085\u2029"],
          "values",
        ),
    },
    {
      id: "lines-broken",
      title: "makes a frame of a line that it cannot read, and goes on",
      run: () =>
        expectEqual(
          read("no json\n", [0x22, 0xff, 0xfe, 0x22, LF], "1\n", "{half"),
          ["broken, 7 bytes", "broken, 4 bytes", 1, "broken, 5 bytes"],
          "values",
        ),
    },
    {
      id: "lines-cap",
      title: "counts the cap in bytes of the line, without its end, and goes on after it",
      run: () =>
        expectEqual(
          capped(6, '"abcd"\r\n', '"abcd"\n', '"abcd "\n', "1\n"),
          ["abcd", "abcd", "broken, 7 bytes", 1],
          "values",
        ),
    },
    {
      id: "lines-line-ends",
      title: "gives the same values for a recorded stream with other line ends, a mark, or no last end",
      run: () => lineEnds(subject),
    },
  ];
}

function lineEnds({ decoder, streams }: FramingSubject): void {
  for (const { name, bytes: stream } of streams) {
    const plain = [...stream].filter((byte) => byte !== CR);
    const values = (variant: readonly number[]): readonly unknown[] =>
      decoded(decoder(), [Uint8Array.from(variant)]).map(told);
    const whole = values(plain);
    const carriage = plain.flatMap((byte) => (byte === LF ? [CR, LF] : [byte]));
    expectEqual(values(carriage), whole, `${name} with CRLF`);
    expectEqual(values([...MARK, ...plain]), whole, `${name} with a mark`);
    if (plain.at(-1) === LF) expectEqual(values(plain.slice(0, -1)), whole, `${name} without its last end`);
  }
}

/** The value of a frame, or how it is broken; `at` and excerpts are left out. */
function told(found: unknown): unknown {
  return field(found, "kind") === "broken"
    ? `broken, ${number(found, "bytes")} bytes`
    : field(found, "payload");
}

/** Text is ASCII here, so that no encoder is needed. */
function bytes(...pieces: readonly (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    pieces.flatMap((piece) =>
      typeof piece === "string" ? Array.from(piece, (character) => character.charCodeAt(0)) : piece,
    ),
  );
}
