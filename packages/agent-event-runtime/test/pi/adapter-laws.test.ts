import { describe, expect, test } from "vitest";
import { adapterLaws } from "../kit/adapter-laws.ts";
import { piSubject } from "./subject.ts";

describe("the pi adapter keeps the laws of translation", () => {
  test.each(adapterLaws)("$name: $says", ({ check }) => {
    expect(() => check(piSubject)).not.toThrow();
  });
});
