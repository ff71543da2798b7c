import { describe, expect, test } from "vitest";
import { adapterConformance } from "../../src/testing/index.ts";
import { piSubject } from "./subject.ts";

describe("the pi adapter keeps the laws of translation", () => {
  test.each(adapterConformance(piSubject))("$title ($id)", ({ run }) => {
    expect(run).not.toThrow();
  });
});
