import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { askHost } from "../../asks.ts";
import { tellTasks } from "../../background.ts";
import { startCommand } from "../../command.ts";
import type { FakeCli } from "../../fake-cli.ts";
import { assistantLine, type Line, toolResultLine } from "../../lines.ts";
import { passGate } from "./api-calls.ts";
import { stepsIn, type ToolBlock, written } from "./directive.ts";
import { gives, type Input, text, type Tool } from "./tool.ts";

/** What the host is told of a call that was stopped. */
const STOPPED = "User rejected tool use";

/** A subagent: does what the directive in its prompt says, now or in the background. */
export const playAgent: Tool = ({ turn, input, toolUseId }) => {
  const agent = new Agent(turn.cli, input, toolUseId);
  if (input["run_in_background"] !== false) {
    void agent.workOn();
    return gives("Async agent launched successfully.", { isAsync: true, status: "async_launched" });
  }
  turn.signal.addEventListener("abort", () => agent.stop());
  return { output: async () => agent.work() };
};

/** One subagent, which can only run commands and report. */
class Agent {
  readonly #cli: FakeCli;
  readonly #input: Input;
  readonly #id = `a${randomUUID().slice(0, 8)}`;
  readonly #run = randomUUID().slice(0, 18);
  readonly #call: string;
  #stopped = false;
  /** The call that runs. */
  #command: { readonly id: string; readonly kill: () => void } | undefined;

  constructor(cli: FakeCli, input: Input, call: string) {
    this.#cli = cli;
    this.#input = input;
    this.#call = call;
  }

  /** Works while its caller waits. */
  async work(): Promise<string> {
    this.#tellStart();
    const report = await this.#follow();
    if (!this.#stopped) this.#tellEnd("completed", report);
    return report;
  }

  /** Works while its caller goes on; its end begins a turn of its own. */
  async workOn(): Promise<void> {
    const task = { kind: "agent", description: this.#description, stop: () => this.stop() } as const;
    this.#cli.tasks.set(this.#id, task);
    tellTasks(this.#cli);
    const report = await this.work();
    if (this.#stopped) return;
    this.#cli.tasks.delete(this.#id);
    tellTasks(this.#cli);
    this.#cli.wake({ runId: this.#run, summary: report });
  }

  /** Stops it, and what it runs. */
  stop(): void {
    this.#stopped = true;
    this.#command?.kill();
    if (this.#command !== undefined)
      this.#emit(toolResultLine(this.#command.id, "Stopped.", { isError: true, result: STOPPED }));
    this.#tellEnd("stopped", this.#description);
    if (this.#cli.tasks.delete(this.#id)) tellTasks(this.#cli);
  }

  get #description(): string {
    return text(this.#input, "description");
  }

  async #follow(): Promise<string> {
    let report = "";
    for (const step of stepsIn(text(this.#input, "prompt")) ?? []) {
      const { gate, blocks = [] } = written(step);
      if (gate !== undefined) await passGate({ pause: delay }, gate);
      for (const block of blocks) {
        if (this.#stopped) return report;
        if ("text" in block) report = block.text;
        else if ("tool" in block) await this.#callTool(block);
      }
    }
    return report;
  }

  async #callTool({ tool: name, input = {} }: ToolBlock): Promise<void> {
    const id = `toolu_${randomUUID()}`;
    const call = { type: "tool_use", id, name, input };
    this.#emit(assistantLine(`msg_${randomUUID()}`, this.#cli.model, call, null));
    const request = { tool_name: name, input, tool_use_id: id, agent_id: this.#id };
    const { behavior, message } = await askHost(this.#cli, request, new AbortController().signal);
    if (behavior === "deny") return this.#emit(toolResultLine(id, message, { isError: true }));
    const child = startCommand(text(input, "command"));
    this.#command = { id, kill: child.stop };
    const { output } = await child.done;
    this.#command = undefined;
    if (!this.#stopped) this.#emit(toolResultLine(id, output, {}));
  }

  /** A line from inside. */
  #emit(line: Line): void {
    const inside = { parent_tool_use_id: this.#call, agent_id: this.#id };
    this.#cli.emit({
      ...line,
      ...inside,
      subagent_type: "general-purpose",
      task_description: this.#description,
    });
  }

  #tellStart(): void {
    const kind = { task_type: "local_agent", subagent_type: "general-purpose", spawn_depth: 1 };
    const is_backgrounded = this.#cli.tasks.has(this.#id);
    this.#tell("task_started", { ...kind, description: this.#description, is_backgrounded });
  }

  #tellEnd(status: "completed" | "stopped", summary: string): void {
    this.#tell("task_updated", { patch: { status: status === "stopped" ? "killed" : status } });
    this.#tell("task_notification", { status, output_file: "", summary });
  }

  #tell(subtype: string, fields: object): void {
    const ids = { task_id: this.#id, run_id: this.#run, tool_use_id: this.#call };
    this.#cli.emit({ type: "system", subtype, ...ids, ...fields });
  }
}
