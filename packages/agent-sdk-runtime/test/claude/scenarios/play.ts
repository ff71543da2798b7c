import { describe, test } from "vitest";
import { withDeadline } from "../../../src/base/deadline.ts";
import { scenarios } from "./index.ts";
import type { Scenario } from "./scenario.ts";
import { Stage, type World } from "./stage.ts";

/** For one scenario, all its waits together; then it is taken away. */
const SCENARIO_MS = 90_000;

/** Declares a test for every scenario that this world can show. */
export function playScenarios(world: World): void {
  describe.for(Object.entries(scenarios))("%s", ([, list]) => {
    const shown = list.filter(({ realOnly }) => world.kind === "real" || realOnly === undefined);
    const named = shown.map((scenario) => [scenario.title, scenario] as const);
    test.for(named)("%s", { timeout: 2 * SCENARIO_MS }, ([, scenario]) => checkScenario(world, scenario));
  });
}

async function checkScenario(world: World, scenario: Scenario): Promise<void> {
  const stage = await Stage.open(world, scenario.fake ?? "follow");
  try {
    await withDeadline(scenario.run(stage), SCENARIO_MS, "The scenario");
    await stage.end();
  } finally {
    await stage.leave();
  }
}
