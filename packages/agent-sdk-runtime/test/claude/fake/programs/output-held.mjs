// Ends while a process that it started holds its output open.
import { spawn } from "node:child_process";
import { serve } from "../fake-cli.ts";

await serve(async (turn) => {
  const { pid } = spawn("sleep", ["60"], { detached: true, stdio: ["ignore", "inherit", "inherit"] });
  turn.answer(String(pid));
  await turn.cli.exit(4);
});
