import type { Json } from "@claxedo/agent-event-runtime";
import type { Line } from "./scripted-claude-lines.ts";

/** What an act is played with: the words of a connection to the scripted CLI. */
export interface ClaudeActor {
  say(line: Line): void;
  text(words: string): void;
  /** Calls a tool, in the agent that another call started if that is given; answers the id of the call. */
  call(name: string, input: Json, parent?: string): string;
  /** Ends a call. */
  done(
    callId: string,
    output: string,
    more?: { readonly failed?: boolean; readonly structured?: Json },
  ): void;
  /** Asks about a call, in that background agent if it is given. `refused` says why it is, or was withdrawn. */
  ask(callId: string, then: (refused: string | undefined) => void, agentId?: string): void;
  /** Withdraws what it asked. */
  withdraw(): void;
  /** Does this when there is more input. */
  onInput(then: () => void): void;
  /** Takes the input that waits into this run. */
  fold(): void;
  /** Ends the run; `refused`: its provider refuses what is in the history; `overflown`: that is too long. */
  end(how?: "completed" | "refused" | "overflown"): void;
  /** Pays no attention to interrupts from here on. */
  disobey(): void;
  /** Starts work in the background; answers its id. */
  begin(kind: "agent" | "background", callId: string): string;
  /** That work is over, which it tells in a run of its own, unless it falls silent then. */
  finish(taskId: string, silent?: boolean): void;
  /** Its program ends. */
  die(): void;
  /** Writes what is no line of its dialect. */
  babble(): void;
}

type Act = (actor: ClaudeActor, words: string) => void;

const question: Json = {
  questions: [
    { question: "Which colour?", multiSelect: false, options: [{ label: "Red" }, { label: "Blue" }] },
    { question: "Which shapes?", multiSelect: true, options: [{ label: "Round" }, { label: "Square" }] },
  ],
};

/** What it does, by the first word of the prompt. */
export const acts: ReadonlyMap<string, Act> = new Map<string, Act>([
  [
    "answer",
    (actor, words) => {
      actor.text(words);
      actor.end();
    },
  ],
  ["work", (actor) => actor.text("Working.")],
  ["stubborn", (actor) => actor.disobey()],
  ["tool", (actor) => void actor.call("Bash", { command: "sleep 600" })],
  ["ask", (actor, words) => asks(actor, "Bash", { command: words || "make it" })],
  ["question", (actor) => asks(actor, "AskUserQuestion", question)],
  [
    "withdraw",
    (actor) => {
      asks(actor, "Bash", { command: "make it" });
      actor.withdraw();
    },
  ],
  [
    "fold",
    (actor) => {
      const call = actor.call("Bash", { command: "sleep 2" });
      actor.onInput(() => {
        actor.done(call, "slept");
        actor.fold();
        actor.text("Both at once.");
        actor.end();
      });
    },
  ],
  [
    "apart",
    (actor) => {
      actor.text("One after the other.");
      actor.onInput(() => actor.end());
    },
  ],
  ["background", background],
  [
    "todo",
    (actor, words) => {
      const todos = words.split(";").map((content) => ({ content, status: "pending" }));
      actor.done(actor.call("TodoWrite", { todos }), "ok", { structured: { newTodos: todos } });
      actor.end();
    },
  ],
  [
    "limit",
    (actor) =>
      actor.say({
        type: "rate_limit_event",
        rate_limit_info: { status: "rejected", resetsAt: 1_900_000_000 },
      }),
  ],
  [
    "mcp",
    (actor, words) => {
      const servers = words.split(";").map((server) => server.split(" "));
      const mcp_servers = servers.map(([name = "", status = ""]) => ({ name, status }));
      actor.say({ type: "system", subtype: "init", mcp_servers });
      actor.end();
    },
  ],
  ["spoilt", (actor) => actor.end("refused")],
  ["overflow", (actor) => actor.end("overflown")],
  [
    "crash",
    (actor, words) => {
      actor.text(words);
      actor.die();
    },
  ],
  [
    "garbage",
    (actor) => {
      actor.babble();
      actor.text("Still here.");
      actor.end();
    },
  ],
]);

function asks(actor: ClaudeActor, name: string, input: Json): void {
  const call = actor.call(name, input);
  actor.ask(call, (refused) => {
    actor.done(call, refused ?? "done", { failed: refused !== undefined });
    actor.text(refused === undefined ? "Done." : `Refused: ${refused}`);
    actor.end();
  });
}

/** `ask`: the agent in the background asks once the run is over. `done`, `hang`: it ends then. Otherwise it goes on. */
function background(actor: ClaudeActor, words: string): void {
  const call = actor.call(words === "ask" ? "Agent" : "Bash", { run_in_background: true });
  const task = actor.begin(words === "ask" ? "agent" : "background", call);
  actor.done(call, "started");
  actor.text("It goes on.");
  actor.end();
  if (words === "done" || words === "hang") actor.finish(task, words === "hang");
  if (words !== "ask") return;
  const inner = actor.call("Bash", { command: "make it" }, call);
  actor.ask(
    inner,
    (refused) => {
      actor.done(inner, refused ?? "done", { failed: refused !== undefined });
      actor.finish(task);
    },
    task,
  );
}
