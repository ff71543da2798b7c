import { assign, lookup, omit } from "../../base/keyed-list.ts";
import { field, list, record, text } from "../../base/read.ts";
import type { TodoItem } from "../../event/event-values.ts";
import type { ClaudeState, ClaudeTodo, ClaudeTool } from "./claude-state.ts";
import { idOf } from "./frames.ts";
import { at } from "./place.ts";
import { type ClaudeStep, says, silent } from "./step.ts";

/** What a call did to the list of things to do: all of it (TodoWrite), or one entry (the task tools). */
export function todosAfter(state: ClaudeState, tool: ClaudeTool, result: unknown): ClaudeStep {
  if (!TODO_TOOLS.has(tool.name) || record(result) === undefined) return silent(state);
  if (tool.name === "TodoWrite") return tell(state, tool, list(result, "newTodos").map(todoOf));
  const todos = changed(state, tool.name, result);
  if (todos === state.todos) return silent(state);
  return tell(
    { ...state, todos: todos.slice(-MAX_TODOS) },
    tool,
    todos.map(([, todo]) => todo),
  );
}

const TODO_TOOLS: ReadonlySet<string> = new Set(["TodoWrite", "TaskCreate", "TaskUpdate", "TaskList"]);
const MAX_TODOS = 200;

function tell(state: ClaudeState, tool: ClaudeTool, items: readonly TodoItem[]): ClaudeStep {
  return says(state, { type: "todo.updated", items, ...at(tool) });
}

function changed(state: ClaudeState, name: string, result: unknown): ClaudeState["todos"] {
  if (name === "TaskList") {
    return list(result, "tasks").flatMap((task) => {
      const id = idOf(task, "id");
      return id === undefined ? [] : [[id, todoOf(task)] as const];
    });
  }
  const task = field(result, "task");
  const id = idOf(task, "id") ?? idOf(result, "taskId");
  if (id === undefined) return state.todos;
  if (task !== undefined) return assign(state.todos, id, todoOf(task));
  const status = text(field(result, "statusChange"), "to");
  const known = lookup(state.todos, id);
  if (known === undefined || status === undefined) return state.todos;
  return status === "deleted"
    ? omit(state.todos, id)
    : assign(state.todos, id, { ...known, status: statusOf(status) });
}

function todoOf(todo: unknown): ClaudeTodo {
  const said = text(todo, "content") ?? text(todo, "subject") ?? "";
  return { text: said.slice(0, 500), status: statusOf(text(todo, "status")) };
}

function statusOf(status: string | undefined): ClaudeTodo["status"] {
  if (status === "in_progress") return "active";
  return status === "completed" ? "done" : "pending";
}
