import { projectionConformance } from "@claxedo/agent-event-runtime/testing";
import { describe, expect, test } from "vitest";
import { toolTimes } from "./tool-times.ts";

describe("toolTimes", () => {
  test.each(projectionConformance({ projection: () => toolTimes }))("$title", ({ run }) => {
    expect(run).not.toThrow();
  });
});
