import type { ModelBlock, ModelStep } from "@claxedo/mock-models";
import { noteLine } from "../../lines.ts";
import type { Turn } from "../../turn.ts";
import { ApiCalls, passGate } from "./api-calls.ts";
import { stepsIn } from "./directive.ts";
import { playTool } from "./tools.ts";

const CUT_OFF =
  "Your response above was cut off mid-stream. Resume directly from where it stops — no apology, no recap. If none of it survived, answer the request from the start.";

/** Plays Claude Code with a model that follows directives: the last one of the conversation, a step a call. */
export class Follower {
  #steps: readonly ModelStep[] = [];
  #next = 0;

  /** Plays a turn, to its last text. */
  async play(turn: Turn): Promise<void> {
    const calls = new ApiCalls(turn);
    let known = 0;
    for (let goesOn = true; goesOn;) {
      for (const { words } of turn.prompts.slice(known)) this.#look(words);
      known = turn.prompts.length;
      const reply = await calls.reply(this.#steps[this.#next++] ?? "The script has no such step.");
      goesOn = reply !== undefined && (await playBlocks(turn, reply.blocks ?? []));
    }
  }

  #look(text: string): void {
    const steps = stepsIn(text);
    if (steps === undefined) return;
    this.#steps = steps;
    this.#next = 0;
  }
}

/** Plays what a message is made of; whether the model is called again after it. */
async function playBlocks(turn: Turn, blocks: readonly ModelBlock[]): Promise<boolean> {
  await turn.cli.transcript.whole(async () => {
    for (const block of blocks) {
      if ("text" in block) await speak(turn, block.text, block.chunk);
      else if ("gate" in block) await passGate(turn, block.gate);
    }
  });
  for (const block of blocks) {
    if ("cut" in block) turn.cli.emit({ ...noteLine(CUT_OFF), isSynthetic: true });
    else if ("tool" in block) await playTool(turn, block);
  }
  return blocks.some((block) => "tool" in block || "cut" in block);
}

async function speak(turn: Turn, text: string, chunk: number | undefined): Promise<void> {
  if (chunk === undefined) turn.say(text);
  else await turn.stream(text, Math.ceil(text.length / chunk), 0);
}
