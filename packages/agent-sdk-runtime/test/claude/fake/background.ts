import { randomUUID } from "node:crypto";
import { startCommand } from "./command.ts";
import type { FakeCli } from "./fake-cli.ts";
import { toolResultLine } from "./lines.ts";

/** Background work that ended by itself. */
export interface Notice {
  readonly runId: string;
  readonly summary: string;
}

/** What a background command is about. */
export interface BackgroundCommand {
  readonly command: string;
  readonly description: string;
  readonly toolUseId: string;
}

/** Starts a command that outlives its turn, for a call that has been told. Gives the task's id. */
export function startBackground(cli: FakeCli, about: BackgroundCommand): string {
  const { command, description, toolUseId } = about;
  const [taskId, runId] = [`b${randomUUID().slice(0, 8)}`, randomUUID().slice(0, 18)];
  const ids = { task_id: taskId, run_id: runId };
  const child = startCommand(command);
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    child.stop();
  };
  cli.tasks.set(taskId, { kind: "command", description, stop });
  tellTasks(cli);
  const kind = { description, is_backgrounded: true, task_type: "local_bash" };
  cli.emit({ type: "system", subtype: "task_started", ...ids, tool_use_id: toolUseId, ...kind });
  cli.emit(toolResultLine(toolUseId, `Command running in background with ID: ${taskId}.`, {}));
  void child.done.then(({ code }) => {
    cli.tasks.delete(taskId);
    const status = stopped ? "stopped" : code === 0 ? "completed" : "failed";
    const summary = `Background command "${description}" ${status} (exit code ${code})`;
    cli.emit({ type: "system", subtype: "task_updated", ...ids, patch: { status, end_time: Date.now() } });
    const told = { tool_use_id: toolUseId, status, output_file: "", summary };
    cli.emit({ type: "system", subtype: "task_notification", ...ids, ...told });
    tellTasks(cli);
    cli.wake(stopped ? undefined : { runId, summary });
  });
  return taskId;
}

export function tellTasks(cli: FakeCli): void {
  const tasks = [...cli.tasks].map(([id, { description }]) => ({
    task_id: id,
    task_type: "local_bash",
    description,
  }));
  cli.emit({ type: "system", subtype: "background_tasks_changed", tasks });
}
