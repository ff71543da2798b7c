import type { Paint } from "../render/style.ts";
import type { Check } from "./evidence.ts";

/** The closing table: what had to hold, whether it did, and one sentence that sums it up. */
export function closingTable(checks: readonly Check[], paint: Paint): string {
  const width = Math.max(...checks.map(({ what }) => what.length));
  const lines = checks.map(({ what, held, detail }) => {
    const mark = held ? paint("green", "✓") : paint("red", "✗");
    return `${mark} ${what.padEnd(width)}  ${detail}\n`;
  });
  const broken = checks.filter(({ held }) => !held).map(({ what }) => what);
  const sum = broken.length === 0 ? "Everything held." : `This did not hold: ${broken.join(", ")}.`;
  return `\n${lines.join("")}\n${sum}\n`;
}
