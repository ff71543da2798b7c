// The scenarios that the real CLI plays in `npm run test:real`, played by a scripted one.
import { fileURLToPath } from "node:url";
import { playScenarios } from "./scenarios/play.ts";

playScenarios({
  kind: "fake",
  binary: (program) => fileURLToPath(new URL(`fake/programs/scenarios/${program}.mjs`, import.meta.url)),
});
