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

/** A subagent: does what the directive in its prompt says, now or in the background. */
export const playAgent: Tool = ({ turn: { cli }, input, toolUseId }) => {
  const agent = new Agent(cli, input, toolUseId);
  if (input["run_in_background"] === false) return { output: async () => agent.work() };
  void agent.workOn();
  return gives("Async agent launched successfully.", { isAsync: true, status: "async_launched" });
};

/** One subagent, which can only run commands and report. */
class Agent {
  readonly #cli: FakeCli;
  readonly #input: Input;
  readonly #id = `a${randomUUID().slice(0, 8)}`;
  readonly #run = randomUUID().slice(0, 18);
  readonly #call: string;

  constructor(cli: FakeCli, input: Input, call: string) {
    this.#cli = cli;
    this.#input = input;
    this.#call = call;
  }

  /** Works while its caller waits. */
  async work(): Promise<string> {
    this.#tellStart(false);
    const report = await this.#follow();
    this.#tellEnd(report);
    return report;
  }

  /** Works while its caller goes on; its end begins a turn of its own. */
  async workOn(): Promise<void> {
    this.#cli.tasks.set(this.#id, { description: this.#description, stop: () => undefined });
    tellTasks(this.#cli);
    this.#tellStart(true);
    const report = await this.#follow();
    this.#cli.tasks.delete(this.#id);
    this.#tellEnd(report);
    tellTasks(this.#cli);
    this.#cli.wake({ runId: this.#run, summary: report });
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
        if ("text" in block) report = block.text;
        else if ("tool" in block) await this.#command(block);
      }
    }
    return report;
  }

  async #command({ tool: name, input = {} }: ToolBlock): Promise<void> {
    const id = `toolu_${randomUUID()}`;
    const call = { type: "tool_use", id, name, input };
    this.#emit(assistantLine(`msg_${randomUUID()}`, this.#cli.model, call, null));
    const request = { tool_name: name, input, tool_use_id: id, agent_id: this.#id };
    const { behavior, message } = await askHost(this.#cli, request, new AbortController().signal);
    if (behavior === "deny") return this.#emit(toolResultLine(id, message, { isError: true }));
    const { output } = await startCommand(text(input, "command")).done;
    this.#emit(toolResultLine(id, output, {}));
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

  #tellStart(background: boolean): void {
    const kind = { task_type: "local_agent", subagent_type: "general-purpose", spawn_depth: 1 };
    this.#tell("task_started", { ...kind, description: this.#description, is_backgrounded: background });
  }

  #tellEnd(summary: string): void {
    const status = "completed";
    this.#tell("task_updated", { patch: { status } });
    this.#tell("task_notification", { status, output_file: "", summary });
  }

  #tell(subtype: string, fields: object): void {
    const ids = { task_id: this.#id, run_id: this.#run, tool_use_id: this.#call };
    this.#cli.emit({ type: "system", subtype, ...ids, ...fields });
  }
}
