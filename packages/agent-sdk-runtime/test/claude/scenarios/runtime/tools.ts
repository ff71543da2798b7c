import type { ModelBlock } from "@claxedo/mock-models";
import { expect } from "vitest";
import type { RuntimeTalk } from "../runtime-talk.ts";
import type { Scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import type { ClaudeOptions } from "../../../../src/harnesses/claude/options.ts";

/** Runs a turn in which the model calls each of these, one after another, all allowed. */
async function callEach(
  stage: Stage,
  calls: readonly ModelBlock[],
  options: Partial<ClaudeOptions> = {},
): Promise<RuntimeTalk> {
  const talk = (await stage.session({}, stage.runtime(options))).allowAll();
  const steps = [...calls.map((call) => [call]), "Done."];
  expect((await talk.run(stage.prompt("Do it.", steps))).outcome).toBe("completed");
  expect(await talk.said()).toEqual(["Done."]);
  return talk;
}

/** What a person sees of the calls: name, kind and outcome. */
async function seen(talk: RuntimeTalk): Promise<readonly string[]> {
  return (await talk.rows("tool")).map(({ name, toolKind, outcome }) => `${name} ${toolKind} ${outcome}`);
}

/** All tools are told to the model, and the named ones are there. */
const offering = (tools: string, env: Readonly<Record<string, string>> = {}): Partial<ClaudeOptions> => ({
  env: { ENABLE_TOOL_SEARCH: "0", ...env },
  extraArgs: [`--tools=${tools}`],
});

const NOTEBOOK = {
  cells: [
    { cell_type: "code", id: "c1", source: ["print(1)"], metadata: {}, outputs: [], execution_count: null },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
};

export const tools: readonly Scenario[] = [
  {
    title: "runs commands, good and bad",
    async run(stage) {
      const talk = await callEach(stage, [
        { tool: "Bash", input: { command: "echo good", description: "Print" } },
        { tool: "Bash", input: { command: "echo bad; exit 3", description: "Fail" } },
      ]);
      expect(await seen(talk)).toEqual(["Bash execute ok", "Bash execute failed"]);
      const [good, bad] = await talk.rows("tool");
      expect(good?.output).toContain("good");
      expect(bad).toMatchObject({ exitCode: 3, output: expect.stringContaining("bad") as string });
    },
  },
  {
    title: "writes, reads and edits files, and tells which have changed",
    async run(stage) {
      const old = stage.write("old.txt", "alpha\nbeta\n");
      const made = stage.path("made.txt");
      const talk = await callEach(stage, [
        { tool: "Write", input: { file_path: made, content: "one\ntwo\n" } },
        { tool: "Read", input: { file_path: old } },
        { tool: "Edit", input: { file_path: old, old_string: "beta", new_string: "BETA" } },
        { tool: "Read", input: { file_path: stage.path("missing.txt") } },
        { tool: "Edit", input: { file_path: old, old_string: "nowhere", new_string: "x" } },
      ]);
      expect(await seen(talk)).toEqual([
        "Write edit ok",
        "Read read ok",
        "Edit edit ok",
        "Read read failed",
        "Edit edit failed",
      ]);
      expect((await talk.rows("file")).map(({ path, change }) => `${change} ${path}`)).toEqual([
        `added ${made}`,
        `modified ${old}`,
      ]);
      expect([stage.read("made.txt"), stage.read("old.txt")]).toEqual(["one\ntwo\n", "alpha\nBETA\n"]);
    },
  },
  {
    title: "edits a notebook",
    async run(stage) {
      const notebook = stage.write("n.ipynb", JSON.stringify(NOTEBOOK));
      const change = { notebook_path: notebook, cell_id: "c1", new_source: "print(2)" };
      const talk = await callEach(
        stage,
        [
          { tool: "Read", input: { file_path: notebook } },
          { tool: "NotebookEdit", input: change },
        ],
        { env: { ENABLE_TOOL_SEARCH: "0" } },
      );
      expect(await seen(talk)).toEqual(["Read read ok", "NotebookEdit edit ok"]);
      expect(stage.read("n.ipynb")).toContain("print(2)");
    },
  },
  {
    title: "searches files",
    async run(stage) {
      stage.write("a.ts", "const beta = 1;\n");
      const talk = await callEach(
        stage,
        [
          { tool: "Glob", input: { pattern: "**/*.ts" } },
          { tool: "Grep", input: { pattern: "beta", output_mode: "content" } },
        ],
        offering("Glob,Grep"),
      );
      expect(await seen(talk)).toEqual(["Glob search ok", "Grep search ok"]);
      const [found, lines] = (await talk.rows("tool")).map(({ output }) => output);
      expect(found).toContain("a.ts");
      expect(lines).toContain("const beta = 1;");
    },
  },
  {
    title: "keeps a list of things to do",
    async run(stage) {
      const todos = [
        { content: "First", status: "completed", activeForm: "Doing the first" },
        { content: "Second", status: "in_progress", activeForm: "Doing the second" },
      ];
      const options = offering("TodoWrite", { CLAUDE_CODE_ENABLE_TASKS: "0" });
      const talk = await callEach(stage, [{ tool: "TodoWrite", input: { todos } }], options);
      expect(await talk.runtime.todos.list(talk.sessionId)).toEqual([
        { text: "First", status: "done" },
        { text: "Second", status: "active" },
      ]);
    },
  },
  {
    title: "keeps tasks of its own as things to do",
    async run(stage) {
      const first = { subject: "First", description: "Do the first", activeForm: "Doing the first" };
      const talk = await callEach(
        stage,
        [
          { tool: "TaskCreate", input: first },
          { tool: "TaskUpdate", input: { taskId: "1", status: "in_progress" } },
          { tool: "TaskList", input: {} },
        ],
        offering("TaskCreate,TaskUpdate,TaskList,TaskGet", { CLAUDE_CODE_ENABLE_TASKS: "1" }),
      );
      expect((await talk.rows("tool")).map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok"]);
      expect(await talk.runtime.todos.list(talk.sessionId)).toEqual([{ text: "First", status: "active" }]);
    },
  },
  {
    title: "fails to fetch what cannot be reached",
    async run(stage) {
      const fetch = {
        tool: "WebFetch",
        input: { url: "https://example.invalid/", prompt: "What is there?" },
      };
      const talk = await callEach(stage, [fetch], { env: { ENABLE_TOOL_SEARCH: "0" } });
      expect(await seen(talk)).toEqual(["WebFetch fetch failed"]);
    },
  },
  {
    title: "lives with tools that do not exist, and with input that is none",
    async run(stage) {
      const talk = await callEach(stage, [
        { tool: "NoSuchTool", input: { x: 1 } },
        { tool: "Bash", input: { cmd: "echo wrong" } },
        { tool: "Bash", rawInput: '{"command": "echo' },
      ]);
      expect(await seen(talk)).toEqual([
        "NoSuchTool other failed",
        "Bash execute failed",
        "Bash execute failed",
      ]);
    },
  },
  {
    title: "runs several tools of one message",
    async run(stage) {
      const file = stage.write("a.txt", "alpha\n");
      const talk = await stage.session();
      const both = [
        { text: "Both." },
        { tool: "Read", input: { file_path: file } },
        { tool: "Bash", input: { command: "echo two", description: "Print" } },
      ];
      expect((await talk.run(stage.prompt("Look.", [both, "Done."]))).outcome).toBe("completed");
      expect(await seen(talk)).toEqual(["Read read ok", "Bash execute ok"]);
      expect(await talk.said()).toEqual(["Both.", "Done."]);
    },
  },
];
