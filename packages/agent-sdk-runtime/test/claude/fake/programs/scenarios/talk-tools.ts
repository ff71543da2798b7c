import { gives, text, type Tool } from "./tool.ts";

interface Task {
  readonly id: string;
  readonly subject: string;
  status: string;
}

const tasks: Task[] = [];

const createTask: Tool = ({ input }) => {
  const task = { id: String(tasks.length + 1), subject: text(input, "subject"), status: "pending" };
  tasks.push(task);
  return gives(`Task #${task.id} created successfully`, { task: { id: task.id, subject: task.subject } });
};

const updateTask: Tool = ({ input }) => {
  const [taskId, to] = [text(input, "taskId"), text(input, "status")];
  for (const task of tasks) if (task.id === taskId) task.status = to;
  const result = { success: true, taskId, updatedFields: ["status"], statusChange: { from: "pending", to } };
  return gives(`Updated task #${taskId} status`, result);
};

const askUser: Tool = ({ input }) => {
  const answers = Object.entries((input["answers"] ?? {}) as Readonly<Record<string, string>>);
  const told = answers.map(([question, answer]) => `"${question}"="${answer}"`).join(", ");
  return gives(`Your questions have been answered: ${told}.`, input);
};

const exitPlan: Tool = ({ turn, input }) => {
  turn.cli.setPermissionMode("default");
  return gives("User has approved your plan.", { plan: input["plan"] });
};

/** Tools that talk to the user, and keep lists. */
export const talkTools: readonly (readonly [string, Tool])[] = [
  [
    "TodoWrite",
    ({ input }) => gives("Todos have been modified.", { oldTodos: [], newTodos: input["todos"] }),
  ],
  ["TaskCreate", createTask],
  ["TaskUpdate", updateTask],
  ["TaskList", () => gives(tasks.map(({ id }) => `#${id}`).join("\n"), { tasks })],
  ["AskUserQuestion", askUser],
  ["ExitPlanMode", exitPlan],
];
