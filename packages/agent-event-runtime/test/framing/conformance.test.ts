import { describe, expect, test } from "vitest";
import { createNdjsonDecoder } from "../../src/index.ts";
import { type Recording, framingConformance } from "../../src/testing/index.ts";
import { piSubject } from "../pi/subject.ts";

const encoder = new TextEncoder();

/** What the program wrote, as it came over the pipe. */
function written({ name, steps }: Recording): { readonly name: string; readonly bytes: Uint8Array } {
  const lines = steps.flatMap((step) =>
    step.do === "frame" && step.frame.kind === undefined && step.frame.dir === "received"
      ? [`${JSON.stringify(step.frame.payload)}\n`]
      : [],
  );
  return { name, bytes: encoder.encode(lines.join("")) };
}

const streams = [
  ...piSubject.recordings.map(written),
  {
    name: "text of several bytes",
    bytes: encoder.encode('{"text":"grüße, \u2028 😀, 日本語"}\n'.repeat(20)),
  },
];

describe("the decoder of newline-delimited JSON keeps the law of framing", () => {
  const subject = { decoder: createNdjsonDecoder, streams, supports: { lines: true } };
  test.each(framingConformance(subject))("$title ($id)", ({ run }) => {
    expect(run).not.toThrow();
  });
});
