// Measures one group of rows.
import { groups } from "../groups.mjs";
import { answer, question } from "../measure/program.mjs";

const { name, settings } = /** @type {{ name: string, settings: import("../settings.mjs").Settings }} */ (
  question()
);
const load = groups.get(name);
if (load === undefined) throw new Error(`There is no group "${name}".`);
await answer(await (await load())(settings));
process.disconnect?.();
