import fc from "fast-check";
import { type ConformanceCase, runsOf } from "./conformance-case.ts";
import { expectEqual } from "./equality.ts";
import { type FramingSubject, decoded } from "./framing-subject.ts";
import { lineCases } from "./line-cases.ts";

/** The law of framing, put to the test on one decoder. What it `supports` decides about the rest. */
export function framingConformance(subject: FramingSubject): readonly ConformanceCase[] {
  const cases: readonly ConformanceCase[] = [
    { id: "framing-total", title: "throws nothing, whatever bytes come", run: () => total(subject) },
    {
      id: "framing-cut-in-two",
      title: "gives the same frames for every cut of the smallest streams in two",
      run: () => cutInTwo(subject),
    },
    {
      id: "framing-chunk-blind",
      title: "gives the same frames for any cuts of any stream",
      run: () => chunkBlind(subject),
    },
    {
      id: "framing-keeps-nothing",
      title: "does not look at a chunk again after it was pushed",
      run: () => keepsNothing(subject),
    },
  ];
  return subject.supports?.lines === true ? [...cases, ...lineCases(subject)] : cases;
}

/** The work grows with the square of the size: the four smallest streams are cut at every byte. */
const CUT_AT_EVERY_BYTE = 4;

/** Bytes that mean something to one framing or another, and some that mean nothing to any. */
const someBytes: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      fc.constantFrom<readonly number[]>(
        [0x0a],
        [0x0d, 0x0a],
        [0x0d],
        [0xef, 0xbb, 0xbf],
        [0xff],
        [0xc3],
        [0xa9],
        [0xf0, 0x9f, 0x98, 0x80],
        [0xe2, 0x80, 0xa8],
        [0x20],
        [0x22],
        [0x3a],
        [0x31],
        [0x7b, 0x7d],
      ),
      fc.array(fc.nat(255), { maxLength: 5 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => Uint8Array.from(pieces.flat()));

function total({ decoder, effort }: FramingSubject): void {
  fc.assert(
    fc.property(fc.array(someBytes, { maxLength: 4 }), (chunks) => {
      decoded(decoder(), chunks);
    }),
    runsOf(effort, 2),
  );
}

function cutInTwo({ decoder, streams }: FramingSubject): void {
  const bySize = streams.toSorted((a, b) => a.bytes.length - b.bytes.length);
  for (const { name, bytes } of bySize.slice(0, CUT_AT_EVERY_BYTE)) {
    const whole = decoded(decoder(), [bytes]);
    for (let place = 1; place < bytes.length; place += 1) {
      const parts = [bytes.slice(0, place), bytes.slice(place)];
      expectEqual(decoded(decoder(), parts), whole, `${name}, cut at byte ${place}`);
    }
  }
}

function chunkBlind({ decoder, streams, effort }: FramingSubject): void {
  const places = fc.array(fc.nat(), { maxLength: 40 });
  const check = (bytes: Uint8Array, at: readonly number[], name: string): void => {
    expectEqual(decoded(decoder(), cut(bytes, at)), decoded(decoder(), [bytes]), name);
  };
  for (const { name, bytes } of streams) {
    fc.assert(
      fc.property(places, (at) => check(bytes, at, name)),
      runsOf(effort, 0.1),
    );
  }
  fc.assert(
    fc.property(someBytes, places, (bytes, at) => check(bytes, at, "made up")),
    runsOf(effort, 2),
  );
}

function keepsNothing({ decoder, streams, effort }: FramingSubject): void {
  const check = (bytes: Uint8Array, at: readonly number[], name: string): void => {
    const subject = decoder();
    const frames = cut(bytes, at).flatMap((chunk) => {
      const found = subject.push(chunk, 7);
      chunk.fill(0);
      return found;
    });
    expectEqual(
      [...frames, ...subject.end(7)],
      decoded(decoder(), [bytes]),
      `${name}, its chunks wiped after use`,
    );
  };
  const places = fc.array(fc.nat(), { maxLength: 20 });
  for (const { name, bytes } of streams) {
    fc.assert(
      fc.property(places, (at) => check(bytes, at, name)),
      runsOf(effort, 0.05),
    );
  }
  fc.assert(
    fc.property(someBytes, places, (bytes, at) => check(bytes, at, "made up")),
    runsOf(effort),
  );
}

function cut(whole: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...ends].map((start, index) => whole.slice(start, ends[index] ?? whole.length));
}
