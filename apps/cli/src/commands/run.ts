import { mkdir } from "node:fs/promises";
import type { AgentRuntime, Session, Turn, TurnResult } from "@claxedo/agent-sdk-runtime";
import type { RunPlan } from "../arguments/plan.ts";
import { Cancelled } from "../cancelled.ts";
import { exitCodeOfOutcome } from "../exit-code.ts";
import { FinalText } from "../final-text.ts";
import { chooseSession } from "../host/choose-session.ts";
import { type Console, tell, writeJson, writePieces } from "../host/console.ts";
import { followTurn } from "../host/follow-turn.ts";
import type { Interrupts } from "../host/interrupts.ts";
import { withRuntime } from "../host/open-runtime.ts";
import { readPrompt } from "../host/read-prompt.ts";
import { shortId } from "../render/names.ts";
import { plainLine } from "../render/plain-text.ts";
import { TurnRenderer } from "../render/turn-renderer.ts";
import { piSessionsFolder, storePath } from "../store-path.ts";

/** How long a turn has to end after the second Ctrl-C, in milliseconds. */
const HURRIED_MS = 500;

/** `claxedo run`: one prompt to its verdict, which is the exit code. */
export async function run(console: Console, plan: RunPlan): Promise<number> {
  const interrupts = console.interrupts();
  const prompt = await readPrompt(console, plan.prompt, interrupts.asked);
  const store = storePath(plan.store, console);
  return withRuntime(console, store, async (runtime) => {
    goOn(interrupts);
    await makePrivateFolder(piSessionsFolder(store));
    const session = await chooseSession(runtime, plan, console.cwd);
    goOn(interrupts);
    await tellSession(console, session);
    const turn = await runtime.turns.start({ sessionId: session.id, input: prompt });
    const live = console.stdout.isTTY && !plan.json;
    const renderer = new TurnRenderer({ live, ...console.paint }, session.model);
    const cancelled = cancelWhenAsked(console, interrupts, { runtime, turn, renderer });
    const result = await (plan.json ? asJson : asText)(console, { runtime, turn, renderer });
    await cancelled();
    return exitCodeOfOutcome(result.outcome);
  });
}

/** A turn under way, and how it is told. */
interface Running {
  readonly runtime: AgentRuntime;
  readonly turn: Turn;
  readonly renderer: TurnRenderer;
}

/** For what the harness writes down itself: as private as the store. */
async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

function goOn(interrupts: Interrupts): void {
  if (interrupts.asked.aborted) throw new Cancelled();
}

async function tellSession(console: Console, { id, harness, directory, model }: Session): Promise<void> {
  await tell(console, `session ${shortId(id)} ${harness.id} in ${plainLine(directory, 200)}`);
  if (model !== undefined) await tell(console, `model ${plainLine(model, 120)}`);
}

/** Cancels the turn at the first signal, or when nobody reads any more. Call the answer to wait until that is done. */
function cancelWhenAsked(console: Console, interrupts: Interrupts, running: Running): () => Promise<unknown> {
  const { runtime, renderer } = running;
  const { sessionId, id: turnId } = running.turn;
  let cancelling: Promise<unknown> | undefined;
  const cancel = (): void => {
    // Whether it worked is told by the turn.
    cancelling ??= runtime.turns.cancel({ sessionId, turnId }).catch(() => undefined);
  };
  interrupts.lastWords = () => runtime.turns.cancel({ sessionId, turnId, graceMs: HURRIED_MS });
  onAbort(console.stdout.gone, cancel);
  onAbort(interrupts.asked, () => {
    void writePieces(console, renderer.note("dim", "cancelling; Ctrl-C again ends at once"));
    cancel();
  });
  return async () => cancelling;
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { once: true });
}

function asText(console: Console, { runtime, turn, renderer }: Running): Promise<TurnResult> {
  return followTurn(runtime, turn, (event) => writePieces(console, renderer.render(event)));
}

async function asJson(console: Console, { runtime, turn, renderer }: Running): Promise<TurnResult> {
  const final = new FinalText();
  const settled = await followTurn(runtime, turn, async (event) => {
    final.add(event);
    await writeJson(console, event);
    await writePieces(
      console,
      renderer.render(event).filter(({ to }) => to === "err"),
    );
  });
  const { turnId, outcome, reason, seq } = settled;
  const { text } = final;
  await writeJson(console, { type: "result", sessionId: turn.sessionId, turnId, outcome, reason, text, seq });
  return settled;
}
