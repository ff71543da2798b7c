import type { Stage } from "./stage.ts";

/** A story that drives Claude Code from outside: written once, played by the real CLI and by a scripted one. */
export interface Scenario {
  /** What it shows: a sentence in the present. */
  readonly title: string;
  /**
   * The program of `fake/programs/scenarios` that plays Claude Code's part where it is scripted. Default: `follow`,
   * which follows the directives that the real CLI's model follows.
   */
  readonly fake?: string;
  /** Why the scripted CLI cannot show it. */
  readonly realOnly?: string;
  run(stage: Stage): Promise<void>;
}
