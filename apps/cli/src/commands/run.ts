import { mkdir } from "node:fs/promises";
import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
import type { AgentRuntime, Session, Turn, TurnResult } from "@claxedo/agent-sdk-runtime";
import type { RunPlan } from "../arguments/plan.ts";
import type { Answerer } from "../asks/answerer.ts";
import { answererOf, chooseAnswering } from "../asks/answering.ts";
import { Cancelled } from "../cancelled.ts";
import { exitCodeOfOutcome } from "../exit-code.ts";
import { FinalText } from "../final-text.ts";
import { chooseSession } from "../host/choose-session.ts";
import { type Console, jsonLine, tell } from "../host/console.ts";
import { followTurn } from "../host/follow-turn.ts";
import type { Interrupts } from "../host/interrupts.ts";
import { withRuntime } from "../host/open-runtime.ts";
import { PieceWriter } from "../host/piece-writer.ts";
import { readPrompt } from "../host/read-prompt.ts";
import { shortId } from "../render/names.ts";
import { plainLine } from "../render/plain-text.ts";
import { TurnRenderer } from "../render/turn-renderer.ts";
import { piSessionsFolder, storePath } from "../store-path.ts";

/** How long a turn has to end after the second Ctrl-C, in milliseconds. */
const HURRIED_MS = 500;

/** `claxedo run`: one prompt to its verdict, which is the exit code. */
export async function run(console: Console, plan: RunPlan): Promise<number> {
  const answering = chooseAnswering(console, plan);
  const interrupts = console.interrupts();
  const prompt = await readPrompt(console, plan.prompt, interrupts.asked);
  const store = storePath(plan.store, console);
  const work = async (runtime: AgentRuntime): Promise<number> => {
    goOn(interrupts);
    await makePrivateFolder(piSessionsFolder(store));
    const session = await chooseSession(runtime, plan, console.cwd);
    goOn(interrupts);
    await tellSession(console, session);
    const turn = await startTurn(runtime, session, prompt);
    const live = console.stdout.isTTY && !plan.json;
    const renderer = new TurnRenderer({ live, ...console.paint }, session.model);
    const writer = new PieceWriter(console);
    const place = { console, renderer, writer };
    const running = { runtime, turn, renderer, writer, answerer: answererOf(answering, runtime, place) };
    const cancelled = cancelWhenAsked(console, interrupts, running);
    const { outcome } = await (plan.json ? asJson : asText)(running);
    await cancelled();
    return exitCodeOfOutcome(outcome);
  };
  return withRuntime(console, store, work, answering.permissions === "deny" ? "deny" : "park");
}

/** A turn under way, and how it is told. */
interface Running {
  readonly runtime: AgentRuntime;
  readonly turn: Turn;
  readonly renderer: TurnRenderer;
  readonly writer: PieceWriter;
  readonly answerer: Answerer;
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

/** What begins with a slash is a command for a harness that has commands; one it does not know is up to it. */
async function startTurn(runtime: AgentRuntime, { id: sessionId }: Session, prompt: string): Promise<Turn> {
  const { offer } = await runtime.capabilities.get(sessionId);
  if (offer && /^\/\S/u.test(prompt)) return runtime.commands.run({ sessionId, command: prompt });
  return runtime.turns.start({ sessionId, input: prompt });
}

/** Cancels the turn at the first signal, or when nobody reads any more. Call the answer to wait until that is done. */
function cancelWhenAsked(console: Console, interrupts: Interrupts, running: Running): () => Promise<unknown> {
  const { runtime, renderer, writer, answerer } = running;
  const { sessionId, id: turnId } = running.turn;
  let cancelling: Promise<unknown> | undefined;
  const cancel = (): void => {
    // Whether it worked is told by the turn.
    cancelling ??= runtime.turns.cancel({ sessionId, turnId }).catch(() => undefined);
  };
  interrupts.lastWords = () => runtime.turns.cancel({ sessionId, turnId, graceMs: HURRIED_MS });
  onAbort(console.stdout.gone, cancel);
  onAbort(interrupts.asked, () => {
    void answerer.stop();
    void writer.write(renderer.note("dim", "cancelling; Ctrl-C again ends at once"));
    cancel();
  });
  return async () => cancelling;
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { once: true });
}

/** Follows the turn to its verdict, and has answered what is asked meanwhile. */
async function follow(
  { runtime, turn, answerer }: Running,
  show: (event: AgentRuntimeEvent) => Promise<void>,
): Promise<TurnResult> {
  try {
    return await followTurn(runtime, turn, (event) => {
      answerer.take(event);
      return show(event);
    });
  } finally {
    await answerer.stop();
  }
}

function asText(running: Running): Promise<TurnResult> {
  const { renderer, writer } = running;
  return follow(running, (event) => writer.write(renderer.render(event)));
}

async function asJson(running: Running): Promise<TurnResult> {
  const { renderer, writer, turn } = running;
  const final = new FinalText();
  const settled = await follow(running, (event) => {
    final.add(event);
    const told = renderer.render(event).filter(({ to }) => to === "err");
    return writer.write([{ to: "out", text: jsonLine(event) }, ...told]);
  });
  const { turnId, outcome, reason, seq } = settled;
  const { text } = final;
  const result = { type: "result", sessionId: turn.sessionId, turnId, outcome, reason, text, seq };
  await writer.write([{ to: "out", text: jsonLine(result) }]);
  return settled;
}
