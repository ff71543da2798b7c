import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { AgentRuntimeEvent, SessionStatus } from "@claxedo/agent-event-runtime";
import type { AgentRuntime } from "@claxedo/agent-sdk-runtime";
import { runtimeAt } from "../host/open-runtime.ts";
import { eventLine } from "../render/event-line.ts";
import { shortId } from "../render/names.ts";
import { plainText } from "../render/plain-text.ts";
import { painter } from "../render/style.ts";
import { allEvents } from "../host/all-events.ts";
import type { Evidence } from "./evidence.ts";
import type { HostProcess } from "./host-process.ts";
import { firstPrompt, secondPrompt, slowCommand, thirdPrompt } from "./prompts.ts";
import { recipe } from "./scratch.ts";
import type { Stage } from "./stage.ts";

/** Plays the demonstration and answers what was seen. */
export async function play(stage: Stage): Promise<Evidence> {
  const { workspace, git, store } = stage.scratch;
  await stage.title(
    `1. A turn in a scratch ${git ? "git repository" : "folder"}: the agent reads, edits and runs`,
  );
  const sessionId = await firstTurn(stage, firstPrompt(git));
  const text = await readFile(join(workspace, recipe), "utf8");
  await using witness = runtimeAt(store, "reader");
  stage.storeId = (await witness.health.status()).storeId;
  const lost = await losingTurn(stage, witness, sessionId);
  const recovery = await recover(stage, sessionId);
  const { lastTurn } = await witness.sessions.get(sessionId);
  await stage.title("4. The same session goes on, in yet another process");
  await turn(stage, "The third turn", stage.host("run", "--session", sessionId, thirdPrompt));
  return {
    ...lost,
    recovery,
    lastTurn,
    edited: text.includes("350 g"),
    shown: stage.shown,
    stored: await storedEvents(witness, sessionId),
    turns: await witness.turns.list(sessionId),
    orphans: await stage.running(),
  };
}

async function storedEvents(witness: AgentRuntime, sessionId: string): Promise<readonly AgentRuntimeEvent[]> {
  const stored: AgentRuntimeEvent[] = [];
  for await (const event of allEvents(witness, sessionId, 0)) stored.push(event);
  return stored;
}

async function firstTurn(stage: Stage, prompt: string): Promise<string> {
  const host = stage.host("run", "--model", "offline/scripted", prompt);
  await turn(stage, "The first turn", host);
  const [first] = stage.shown;
  if (first === undefined) throw new Error(`The first turn told nothing. ${host.complaints}`);
  return first.sessionId;
}

/** Shows the turn of a host process to its end, and what the process complains of when it fails. */
async function turn(stage: Stage, what: string, host: HostProcess): Promise<void> {
  const renderer = stage.renderer();
  await stage.step(
    what,
    (async () => {
      for await (const event of host.events()) await stage.show(renderer, event);
      const { code } = await host.ended();
      if (code !== 0) await stage.say(plainText(host.complaints));
    })(),
  );
}

type Lost = Pick<Evidence, "killedBy" | "orphanedStatus" | "leftBehind">;

async function losingTurn(stage: Stage, witness: AgentRuntime, sessionId: string): Promise<Lost> {
  await stage.title("2. A second turn, whose host process is killed while a tool runs");
  const host = stage.host("run", "--session", sessionId, secondPrompt);
  const renderer = stage.renderer();
  let killing: Promise<string> | undefined;
  await stage.step(
    "The second turn",
    (async () => {
      for await (const event of host.events()) {
        await stage.show(renderer, event);
        if (event.type === "tool.started") killing ??= killOnceToolRuns(stage, host);
      }
    })(),
  );
  const killedBy = (await killing) ?? "it ended by itself";
  const { status } = await witness.sessions.get(sessionId);
  const leftBehind = (await stage.running()) ?? [];
  await stage.say(`\nThe session is ${status} now. Still running: ${leftBehind.join(", ") || "nothing"}`);
  return { killedBy, orphanedStatus: status, leftBehind };
}

/** The call is told before the program runs: the kill waits for that, but not for ever. */
async function killOnceToolRuns(stage: Stage, host: HostProcess): Promise<string> {
  for (let waited = 0; waited < 5_000; waited += 50) {
    const running = await stage.running();
    if (running?.some((command) => command.startsWith(slowCommand))) break;
    await delay(50);
  }
  const { signal } = await host.kill();
  await stage.say(`\nkill -9 ${host.pid}: the host process is gone, in the middle of \`${slowCommand}\``);
  return signal ?? "it ended by itself";
}

async function recover(stage: Stage, sessionId: string): Promise<readonly SessionStatus[]> {
  await stage.title("3. A fresh process finds the session, settles it, and prints what it wrote down");
  const after = String(stage.shown.at(-1)?.seq ?? 0);
  const host = stage.host("events", sessionId, "--after", after);
  const told: AgentRuntimeEvent[] = [];
  await stage.step(
    "The recovery",
    (async () => {
      for await (const event of host.events()) {
        told.push(event);
        stage.shown.push(event);
        await stage.say(eventLine(event, painter(false)));
      }
      await host.ended();
    })(),
  );
  await stage.say(`${plainText(host.complaints)}\nThat was session ${shortId(sessionId)}.`);
  const start = told.findIndex(({ type }) => type === "recovery.started");
  return told.slice(start).flatMap((event) => (event.type === "session.status" ? [event.status] : []));
}
