import { assign, lookup, omit } from "../../base/keyed-list.ts";
import { field, list, record, text } from "../../base/read.ts";
import type { TodoItem } from "../../event/event-values.ts";
import type { ClaudeState, ClaudeTodo, ClaudeTool } from "./claude-state.ts";
import { idOf } from "./frames.ts";
import { at, mainPlace } from "./place.ts";
import { type ClaudeHandler, type ClaudeStep, says, silent } from "./step.ts";

/** What a call did to the list of things to do: all of it (TodoWrite), or one entry (the task tools). */
export function todosAfter(state: ClaudeState, tool: ClaudeTool, result: unknown): ClaudeStep {
  if (tool.name === "TodoWrite") {
    const items = todosIn(result, "newTodos") ?? tool.todos; // results in subagents say nothing of it
    return items === null ? silent(state) : tell(state, items, tool);
  }
  if (!TASK_TOOLS.has(tool.name) || record(result) === undefined) return silent(state);
  const todos = changed(state, tool, result);
  if (todos === state.todos) return silent(state);
  const items = todos.map(([, todo]) => todo);
  return tell({ ...state, todos: todos.slice(-MAX_TODOS) }, items, tool);
}

/** What the input of a call makes of the list; `null` when it is about something else. */
export function plannedTodos(name: string, input: unknown): readonly ClaudeTodo[] | null {
  if (name === "TodoWrite") return todosIn(input, "todos") ?? null;
  return name === "TaskUpdate" && text(input, "subject") !== undefined ? [todoOf(input)] : null;
}

/** `conversation_reset`: the CLI began a new session, whose list is empty. The next init names it. */
export const forgetTodos: ClaudeHandler = (state) =>
  state.todos.length === 0 ? silent(state) : tell({ ...state, todos: [] }, [], mainPlace(state));

const TASK_TOOLS: ReadonlySet<string> = new Set(["TaskCreate", "TaskUpdate", "TaskList"]);
const MAX_TODOS = 200;

function todosIn(value: unknown, key: string): readonly ClaudeTodo[] | undefined {
  return Array.isArray(field(value, key)) ? list(value, key).slice(-MAX_TODOS).map(todoOf) : undefined;
}

function tell(state: ClaudeState, items: readonly TodoItem[], where: Parameters<typeof at>[0]): ClaudeStep {
  return says(state, { type: "todo.updated", items, ...at(where) });
}

function changed(state: ClaudeState, tool: ClaudeTool, result: unknown): ClaudeState["todos"] {
  if (tool.name === "TaskList") {
    return list(result, "tasks").flatMap((task) => {
      const id = idOf(task, "id");
      return id === undefined ? [] : [[id, todoOf(task)] as const];
    });
  }
  const task = field(result, "task");
  const id = idOf(task, "id") ?? idOf(result, "taskId");
  if (id === undefined) return state.todos;
  if (task !== undefined) return assign(state.todos, id, todoOf(task));
  const known = lookup(state.todos, id);
  const status = text(field(result, "statusChange"), "to");
  if (known === undefined) return state.todos;
  if (status === "deleted") return omit(state.todos, id);
  const renamed = list(result, "updatedFields").includes("subject") ? tool.todos?.[0]?.text : undefined;
  if (status === undefined && renamed === undefined) return state.todos;
  return assign(state.todos, id, {
    text: renamed ?? known.text,
    status: status === undefined ? known.status : statusOf(status),
  });
}

function todoOf(todo: unknown): ClaudeTodo {
  const said = text(todo, "content") ?? text(todo, "subject") ?? "";
  return { text: said.slice(0, 500), status: statusOf(text(todo, "status")) };
}

function statusOf(status: string | undefined): ClaudeTodo["status"] {
  if (status === "in_progress") return "active";
  return status === "completed" ? "done" : "pending";
}
