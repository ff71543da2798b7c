import type { AgentRuntime } from "@claxedo/agent-sdk-runtime";
import type { RunPlan } from "../arguments/plan.ts";
import { type Console, tell } from "../host/console.ts";
import type { Keyboard } from "../host/keyboard.ts";
import { UsageError } from "../usage-error.ts";
import { Allower } from "./allower.ts";
import type { Answerer } from "./answerer.ts";
import { Asker, type AskingPlace } from "./asker.ts";

/** What becomes of the agent's requests, and for `ask` where the answers are typed. */
export type Answering =
  | { readonly permissions: "ask"; readonly keyboard: Keyboard }
  | { readonly permissions: "deny" | "allow" };

/** As the plan says; without a word on it `ask` where that is possible, else `deny`. */
export function chooseAnswering(console: Console, { permissions, prompt }: RunPlan): Answering {
  if (permissions === "deny" || permissions === "allow") return { permissions };
  const keyboard = prompt.from === "stdin" ? undefined : console.keyboard();
  if (keyboard !== undefined) return { permissions: "ask", keyboard };
  if (permissions === undefined) return { permissions: "deny" };
  throw new UsageError(
    prompt.from === "stdin"
      ? "Nobody can be asked while the prompt comes from standard input: give it as an argument, or choose --permissions deny or allow."
      : "Nobody can be asked here: standard input and standard error must be a terminal for --permissions ask; otherwise choose deny or allow.",
    "run",
  );
}

/** Who answers in a turn. */
export function answererOf(
  answering: Answering,
  runtime: AgentRuntime,
  place: Omit<AskingPlace, "keyboard">,
): Answerer {
  switch (answering.permissions) {
    case "ask":
      return new Asker(runtime, { ...place, keyboard: answering.keyboard });
    case "allow":
      return new Allower(runtime, (text) => tell(place.console, text));
    case "deny":
      // The runtime refuses by itself.
      return { take: () => undefined, stop: () => Promise.resolve() };
  }
}
