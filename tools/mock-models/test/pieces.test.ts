import fc from "fast-check";
import { expect, test } from "vitest";
import { pieces } from "../src/reply/pieces.ts";

/** Half a character would not come back. */
const isWellFormed = (value: string): boolean => Buffer.from(value).toString() === value;

const text = fc.string({ unit: "binary", maxLength: 200 });

test("pieces make the text again, none is empty or too long, and no character is cut in two", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 50 }), (whole, size) => {
      const parts = [...pieces(whole, size)];
      expect(parts.join("")).toBe(whole);
      for (const part of parts) {
        if (isWellFormed(whole)) expect(part).toSatisfy(isWellFormed);
        expect(part.length).toBeLessThanOrEqual(size + 1);
        if (whole !== "") expect(part).not.toBe("");
      }
    }),
  );
});

test("has one piece for an empty text, and no more than 1,000 for a long one", () => {
  expect([...pieces("")]).toEqual([""]);
  expect([...pieces("x".repeat(5_000_000))].length).toBeLessThanOrEqual(1000);
  expect([...pieces("x".repeat(64))]).toHaveLength(2);
});
