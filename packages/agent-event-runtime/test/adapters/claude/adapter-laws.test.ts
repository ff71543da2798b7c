import { describe, expect, test } from "vitest";
import { adapterConformance } from "../../../src/testing/index.ts";
import { withHandover } from "../../recordings.ts";
import { recording } from "./recordings.ts";
import { claudeSubject } from "./subject.ts";

const handedOver = withHandover(recording("2.1.332-g-burst"));
const subject = { ...claudeSubject, recordings: [...claudeSubject.recordings, handedOver] };

describe("the claude adapter keeps the laws of translation", () => {
  test.each(adapterConformance(subject))("$title", ({ run }) => {
    expect(() => run()).not.toThrow();
  });
});
