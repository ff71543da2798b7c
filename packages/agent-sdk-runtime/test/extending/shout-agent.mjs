// A toy agent: says what it is told in capitals. Lines of JSON in, lines of JSON out.
import { createInterface } from "node:readline";

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
let current;

createInterface({ input: process.stdin }).on("line", (line) => {
  const { prompt, text, stop } = JSON.parse(line);
  if (stop && current !== undefined) say({ done: current, stopped: true });
  if (stop) current = undefined;
  if (prompt === undefined) return;
  current = prompt;
  say({ begin: prompt });
  if (text === "wait") return; // until it is stopped
  if (text === "die") process.exit(3);
  if (text === "noise") process.stdout.write("what?\n");
  for (const word of text.split(" ")) say({ word: `${word.toUpperCase()} ` });
  say({ done: prompt });
  current = undefined;
});
