import { Cancelled } from "../cancelled.ts";
import { closingTable } from "../demo/closing-table.ts";
import { checksOf } from "../demo/evidence.ts";
import { play } from "../demo/play.ts";
import { makeScratch } from "../demo/scratch.ts";
import { Stage } from "../demo/stage.ts";
import { exitCodes } from "../exit-code.ts";
import type { Console } from "../host/console.ts";

/**
 * `claxedo demo`: real host processes on a scratch store, one of them killed in the middle of a turn.
 * Completed only if everything that had to hold did. `program`: the built command.
 */
export async function demo(console: Console, program: string): Promise<number> {
  const interrupts = console.interrupts();
  const stage = new Stage(console, await makeScratch(console.env), program, interrupts.asked);
  interrupts.lastWords = () => stage.clear();
  try {
    const checks = checksOf(await play(stage));
    await console.stdout.write(closingTable(checks, console.paint.out));
    return checks.every(({ held }) => held) ? exitCodes.completed : exitCodes.failed;
  } catch (error) {
    if (!interrupts.asked.aborted) throw error;
    throw new Cancelled("The demonstration was stopped; its scratch folder is removed.", { cause: error });
  } finally {
    await stage.clear();
  }
}
