import { describe, expect, test } from "vitest";
import { adapterConformance } from "../../../src/testing/index.ts";
import { claudeSubject } from "./subject.ts";

describe("the claude adapter keeps the laws of translation", () => {
  test.each(adapterConformance(claudeSubject))("$title", ({ run }) => {
    expect(() => run()).not.toThrow();
  });
});
