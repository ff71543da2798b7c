import { recipe } from "./scratch.ts";

/** What the second turn is busy with when its host is killed. */
export const slowCommand = "sleep 600";

/** Reads, edits and runs something. */
export function firstPrompt(git: boolean): string {
  return [
    "say: I read the recipe, change it, and look at the change.",
    `read: ${recipe}`,
    `edit: ${recipe} 300 g => 350 g`,
    `exec: ${git ? "git --no-pager diff --stat" : `grep flour ${recipe}`}`,
    "say: It takes more flour now.",
  ].join("\n");
}

/** Never comes to its end by itself. */
export const secondPrompt: string = ["say: This will take a while.", "sleep: 600"].join("\n");

/** What the session goes on with. */
export const thirdPrompt: string = [
  "say: I am back, and look at what is there.",
  `exec: cat ${recipe}`,
  "say: Nothing is lost.",
].join("\n");
