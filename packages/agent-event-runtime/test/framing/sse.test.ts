import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type RawFrame,
  type SseEvent,
  type SseFault,
  type SseOptions,
  createSseDecoder,
} from "../../src/index.ts";
import { framingConformance } from "../../src/testing/index.ts";

type Found = SseEvent | SseFault;

const encoder = new TextEncoder();

function decode(chunks: readonly (string | Uint8Array)[], options?: SseOptions): readonly Found[] {
  const decoder = createSseDecoder(options);
  const bytes = chunks.map((chunk) => (typeof chunk === "string" ? encoder.encode(chunk) : chunk));
  return [...bytes.flatMap((chunk) => decoder.push(chunk, 7)), ...decoder.end(7)];
}

function told(found: readonly Found[]): readonly string[] {
  return found.map((one) =>
    "data" in one ? `${one.event}|${one.data}|${one.id}` : `${one.reason}: ${one.bytes}`,
  );
}

/** Everything that a stream can hold. */
const everything = [
  "\uFEFF: a greeting\n\n",
  "data: one\n\n",
  "event: add\r\ndata: 73857293\r\n\r\n",
  "id: 1\rdata: grüße \u2028 😀\r\r",
  ": heartbeat\n",
  "data:no space\ndata:  two spaces\ndata\n\n",
  "retry: 3000\n\n",
  "event: nothing follows\n\n",
  "id\ndata: without an id\n\n",
  "unknown: field\ndata: :\n\n",
  "data: never ended\n",
].join("");

describe("the decoder of server-sent events", () => {
  test("its faults fit where translation wants a frame", () => {
    expectTypeOf<SseFault>().toExtend<RawFrame>();
  });

  test("reads names, ids, lines of data and line ends of every kind", () => {
    expect(told(decode([everything]))).toEqual([
      "message|one|",
      "add|73857293|",
      "message|grüße \u2028 😀|1",
      "message|no space\n two spaces\n|1",
      "message|without an id|",
      "message|:|",
    ]);
  });

  test("stamps each event with the time of the chunk that ended it", () => {
    const decoder = createSseDecoder();
    decoder.push(encoder.encode("data: a\n"), 1);
    expect(decoder.push(encoder.encode("\n"), 2)).toEqual([{ event: "message", data: "a", id: "", at: 2 }]);
  });

  test("remembers the last id of an event that ended, and the time to wait", () => {
    const decoder = createSseDecoder();
    expect([decoder.lastEventId(), decoder.retryMs()]).toEqual(["", undefined]);
    decoder.push(encoder.encode("id: 5\nretry: 250\n\nid: 6\ndata: not yet ended\n"), 0);
    expect([decoder.lastEventId(), decoder.retryMs()]).toEqual(["5", 250]);
    decoder.push(encoder.encode("id: \0\nretry: soon\nretry: -1\nretry: 1e3\n\n"), 0);
    expect([decoder.lastEventId(), decoder.retryMs()]).toEqual(["6", 250]);
  });

  test("takes a CR LF that is cut in two for one line end", () => {
    expect(told(decode(["data: a\r", "\ndata: b\r", "\n\r", "", "\n", "data: c\r\n\r\n"]))).toEqual([
      "message|a\nb|",
      "message|c|",
    ]);
  });

  test("drops one byte order mark, at the start alone", () => {
    expect(told(decode(["\uFEFFdata: a\n\n", "\uFEFFdata: b\n\ndata: c\n\n"]))).toEqual([
      "message|a|",
      "message|c|",
    ]);
  });

  test("reads bytes that are no UTF-8 as the standard says", () => {
    const bad = Uint8Array.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x61, 0xc3, 0x0a, 0x0a]);
    expect(told(decode([bad]))).toEqual(["message|\uFFFDa\uFFFD|"]);
  });

  test("skips an event over the cap, says so, and goes on", () => {
    const stream = "id: 1\ndata: 12345\n\nid: 2\ndata: 123456\n\n: any length of comment\ndata: 1\n\n";
    expect(told(decode([stream], { maxEventBytes: 16 }))).toEqual([
      "message|12345|1",
      "too long: 17",
      "message|1|2",
    ]);
    expect(decode([stream], { maxEventBytes: 16 })[1]).toMatchObject({
      kind: "broken",
      text: "id: 2",
      at: 7,
    });
  });

  test("counts the cap without the byte order mark", () => {
    const data = "x".repeat(2000);
    expect(told(decode([`\uFEFFdata: ${data}\n\n`], { maxEventBytes: 2006 }))).toEqual([`message|${data}|`]);
  });

  test("takes no id from a line that it could not keep", () => {
    const decoder = createSseDecoder({ maxEventBytes: 1000 });
    decoder.push(encoder.encode(`id: 1\n\nid: ${"2".repeat(2000)}\n\n`), 0);
    expect(decoder.lastEventId()).toBe("1");
  });

  test("goes on after an event that is far too long, without holding it", () => {
    const decoder = createSseDecoder({ maxEventBytes: 1000 });
    const megabyte = encoder.encode(`data: ${"a".repeat(1024 * 1024)}\n`);
    const found = Array.from({ length: 64 }, () => decoder.push(megabyte, 0)).flat();
    expect(told([...found, ...decoder.push(encoder.encode("\ndata: 1\n\n"), 0)])).toEqual([
      `too long: ${64 * (1024 * 1024 + 6)}`,
      "message|1|",
    ]);
  });

  test("takes a long event byte by byte in time that grows with its length", () => {
    const decoder = createSseDecoder();
    const started = performance.now();
    for (const byte of encoder.encode(`data: ${"z".repeat(300_000)}\r\n\r\n`))
      decoder.push(Uint8Array.of(byte), 0);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  test("takes a chunk of many short events in time that grows with its length", () => {
    const started = performance.now();
    expect(decode(["data: a\n\n".repeat(200_000)])).toHaveLength(200_000);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test("gives the same events for any cuts and any cap", () => {
    const piece = fc.constantFrom(
      "\n",
      "\r\n",
      "\r",
      ":",
      " ",
      "data",
      "data: ä😀",
      "id: 1",
      "event: e",
      "retry: 5",
      "\uFEFF",
      "\0",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.nat(30),
        (pieces, places, maxEventBytes) => {
          const whole = encoder.encode(pieces.join(""));
          const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].toSorted(
            (a, b) => a - b,
          );
          const chunks = [0, ...ends].map((start, index) => whole.slice(start, ends[index] ?? whole.length));
          expect(decode(chunks, { maxEventBytes })).toEqual(decode([whole], { maxEventBytes }));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("the decoder of server-sent events keeps the law of framing", () => {
  const streams = [
    { name: "everything", bytes: encoder.encode(everything) },
    {
      name: "JSON",
      bytes: encoder.encode('data: {"type":"server.heartbeat","text":"日本語"}\n\n'.repeat(50)),
    },
  ];
  test.each(framingConformance({ decoder: () => createSseDecoder(), streams }))("$title ($id)", ({ run }) => {
    expect(run).not.toThrow();
  });
});
