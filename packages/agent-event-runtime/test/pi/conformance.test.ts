import { describe, expect, test } from "vitest";
import { adapterConformance } from "../../src/testing/index.ts";
import { withHandover } from "../recordings.ts";
import { recording } from "./recordings.ts";
import { piSubject } from "./subject.ts";

const handedOver = withHandover(recording("1.6.0-08-steer"));
const subject = { ...piSubject, recordings: [...piSubject.recordings, handedOver] };

describe("the pi adapter keeps the laws of translation", () => {
  test.each(adapterConformance(subject))("$title ($id)", ({ run }) => {
    expect(run).not.toThrow();
  });
});
