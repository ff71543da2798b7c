// The scenarios, played by the real CLI.
import { describe } from "vitest";
import { playScenarios } from "../scenarios/play.ts";

const binary = process.env["CLAXEDO_REAL_CLAUDE"];

describe.skipIf(binary === undefined)("the real claude", () => {
  playScenarios({ kind: "real", binary: () => binary ?? "" });
});
