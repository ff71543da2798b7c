import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect } from "vitest";
import { type MockModels, type ModelStep, script, startMockModels } from "@claxedo/mock-models";
import type { ClaudeOptions } from "../../../src/harnesses/claude/options.ts";
import { claude } from "../../../src/harnesses/index.ts";
import {
  type AgentRuntime,
  type AgentRuntimeOptions,
  createAgentRuntime,
  type CreateSession,
} from "../../../src/index.ts";
import {
  type CanUseTool,
  ClaudeCode,
  type ClaudeResult,
  type LiveMessage,
  type LiveSessionOptions,
} from "../../../src/live/index.ts";
import { sqliteStore } from "../../../src/stores/sqlite/index.ts";
import { expectSettled } from "./endings.ts";
import { HostProgram } from "./host-program.ts";
import type { HostOrder } from "./programs/host.ts";
import { LiveTalk } from "./live-talk.ts";
import { RuntimeTalk } from "./runtime-talk.ts";
import { Workplace } from "./workplace.ts";

/** Who plays Claude Code. */
export interface World {
  readonly kind: "real" | "fake";
  /** The program to start; `program` names a script of the scripted CLI. */
  binary(program: string): string;
}

/** For processes that were told to end to be gone. */
const GONE_MS = 5000;

/** Allows whatever is asked for. */
export const allowed: CanUseTool = () => ({ behavior: "allow" });

/** Where a scenario plays: a workplace, a model, and whatever was started there. */
export class Stage extends Workplace {
  readonly binary: string;
  /** What the CLI finds in its environment, on top of this process's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Codes of the diagnostics that the scenario brings about. */
  readonly expected: string[] = [];
  readonly #models: MockModels | undefined;
  readonly #talks: LiveTalk[] = [];
  readonly #runtimes: AgentRuntime[] = [];
  readonly #hosts: HostProgram[] = [];

  private constructor(world: World, program: string, models: MockModels | undefined) {
    super();
    this.binary = world.binary(program);
    this.#models = models;
    this.env = { ...this.homes, ANTHROPIC_API_KEY: "no-secret", ANTHROPIC_BASE_URL: models?.url };
  }

  static async open(world: World, program: string): Promise<Stage> {
    return new Stage(world, program, world.kind === "real" ? await startMockModels() : undefined);
  }

  /** A live session. */
  async live(options: Partial<LiveSessionOptions> = {}): Promise<LiveTalk> {
    const talk = new LiveTalk();
    this.#talks.push(talk);
    const tap = (frame: Parameters<LiveTalk["take"]>[0]): void => talk.take(frame);
    const how = { ...this.#liveOptions(this.#talks.length), ...options, tap };
    return talk.begin(await ClaudeCode.session(how));
  }

  /** One question to a process of its own. */
  async query(prompt: string): Promise<{ messages: readonly LiveMessage[]; result: ClaudeResult }> {
    const messages: LiveMessage[] = [];
    const answer = ClaudeCode.query(prompt, this.#liveOptions("query"));
    for (;;) {
      const { done, value } = await answer.next();
      if (done === true) return { messages, result: value };
      messages.push(value);
    }
  }

  /** A runtime on the store of this stage, which all its runtimes share. */
  runtime(
    options: Partial<ClaudeOptions> = {},
    settings: Omit<Partial<AgentRuntimeOptions>, "store"> = {},
  ): AgentRuntime {
    const { binary } = this;
    const harness = claude({ binary, ...options, env: { ...this.env, ...options.env } });
    const store = sqliteStore({ path: this.storePath });
    const runtime = createAgentRuntime({ store, harnesses: [harness], ...settings });
    this.#runtimes.push(runtime);
    return runtime;
  }

  /** A new session of a runtime of its own, or of that one. */
  async session(
    options: Partial<CreateSession> = {},
    runtime: AgentRuntime = this.runtime(),
  ): Promise<RuntimeTalk> {
    const harness = { id: "claude" };
    const { id } = await runtime.sessions.create({ directory: this.workspace, harness, ...options });
    return new RuntimeTalk(runtime, id);
  }

  /** That session, held by another runtime. */
  again({ sessionId }: { readonly sessionId: string }, runtime: AgentRuntime = this.runtime()): RuntimeTalk {
    return new RuntimeTalk(runtime, sessionId);
  }

  /** A host in a process of its own, at work on a prompt. */
  host(prompt: string, more: Pick<HostOrder, "asked" | "stays"> = {}): HostProgram {
    const { storePath, workspace: directory, binary, env } = this;
    const order = { storePath, directory, prompt, options: { binary, env }, ...more };
    const host = new HostProgram(order, this.homes);
    this.#hosts.push(host);
    return host;
  }

  /** The processes of Claude Code that live here. */
  claudes(): readonly number[] {
    // A host has the path of the program among its arguments as well.
    const isClaude = (command: string): boolean =>
      command.includes(this.binary) && command.includes("--input-format=");
    return this.inhabitants().flatMap(({ pid, command }) => (isClaude(command) ? [pid] : []));
  }

  /**
   * Ends them as the system does when it has no memory left, once the transcript is begun: Claude Code writes it a
   * moment later than its frames, and has no session to resume before that.
   */
  async killClaudes(): Promise<void> {
    await this.until("the transcript is begun", () => this.hasTranscript());
    for (const pid of this.claudes()) process.kill(pid, "SIGKILL");
  }

  /** The store that all runtimes here share. */
  get storePath(): string {
    return join(this.root, "store.db");
  }

  /** A prompt in which the model finds what it is to answer. */
  prompt(text: string, steps: readonly ModelStep[]): string {
    return `${text} ${script(steps)}`;
  }

  /** Lets the model go on that waits at this gate. */
  release(gate: string): void {
    writeFileSync(join(this.root, "tmp", `${gate}.gate`), "");
    this.#models?.release(gate);
  }

  /** What the model was asked so far, as the API has it; `undefined` where there is no model. */
  get asked(): readonly unknown[] | undefined {
    return this.#models?.requests.map(({ body }) => body);
  }

  /** Ends what was started, and checks what every scenario promises. */
  async end(): Promise<void> {
    await this.#stop();
    await expect.poll(() => this.inhabitants(), { timeout: GONE_MS }).toEqual([]);
    if (this.#runtimes.length > 0) await expectSettled(sqliteStore({ path: this.storePath }), this.expected);
    for (const talk of this.#talks) talk.expectBalanced(this.expected);
  }

  /** Ends what was started, and takes the place away. */
  async leave(): Promise<void> {
    await this.#stop();
    await this.#models?.close();
    this.remove();
  }

  async #stop(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.kill()));
    await Promise.all([...this.#talks, ...this.#runtimes].map((started) => started.close()));
  }

  #liveOptions(name: string | number): LiveSessionOptions {
    const env = { ...this.env, CLAXEDO_OWNER: `${basename(this.root)}.live.session_${name}` };
    return { cwd: this.workspace, binary: this.binary, env };
  }
}
