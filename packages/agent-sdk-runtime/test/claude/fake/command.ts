import { spawn } from "node:child_process";

/** A shell command that runs. */
export interface Command {
  readonly done: Promise<{ readonly code: number | null; readonly output: string }>;
  readonly stop: () => void;
}

/** Starts one as the CLI starts its tools: in a session of its own, where no signal to the CLI reaches it. */
export function startCommand(command: string): Command {
  const child = spawn("sh", ["-c", command], { detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const done = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, output: output.trimEnd() }));
  });
  return { done, stop: () => killSession(child.pid) };
}

function killSession(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
