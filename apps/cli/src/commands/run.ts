import type { AgentRuntimeEvent } from "@claxedo/agent-event-runtime";
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
import { storePath } from "../store-path.ts";

/** How long a turn has to end after the second Ctrl-C, in milliseconds. */
const HURRIED_MS = 500;

/** `claxedo run`: one prompt to its verdict, which is the exit code. */
export async function run(console: Console, plan: RunPlan): Promise<number> {
  const interrupts = console.interrupts();
  const prompt = await readPrompt(console, plan.prompt, interrupts.asked);
  return withRuntime(console, storePath(plan.store, console), async (runtime) => {
    goOn(interrupts);
    const session = await chooseSession(runtime, plan, console.cwd);
    goOn(interrupts);
    await tell(console, `session ${shortId(session.id)} ${session.harness.id} in ${plainLine(session.directory, 200)}`);
    if (session.model !== undefined) await tell(console, `model ${plainLine(session.model, 120)}`);
    const turn = await runtime.turns.start({ sessionId: session.id, input: prompt });
    const cancelled = cancelWhenAsked(console, interrupts, runtime, turn);
    const result = await (plan.json ? asJson : asText)(console, runtime, session, turn);
    await cancelled();
    return exitCodeOfOutcome(result.outcome);
  });
}

function goOn(interrupts: Interrupts): void {
  if (interrupts.asked.aborted) throw new Cancelled();
}

/** Cancels the turn at the first signal, or when nobody reads any more. Call the answer to wait until that is done. */
function cancelWhenAsked(
  console: Console,
  interrupts: Interrupts,
  runtime: AgentRuntime,
  { sessionId, id: turnId }: Turn,
): () => Promise<unknown> {
  let cancelling: Promise<unknown> | undefined;
  const cancel = (): void => {
    // Whether it worked is told by the turn.
    cancelling ??= runtime.turns.cancel({ sessionId, turnId }).catch(() => undefined);
  };
  interrupts.lastWords = () => runtime.turns.cancel({ sessionId, turnId, graceMs: HURRIED_MS });
  onAbort(console.stdout.gone, cancel);
  onAbort(interrupts.asked, () => {
    void tell(console, "cancelling; Ctrl-C again ends at once");
    cancel();
  });
  return async () => cancelling;
}

function onAbort(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener("abort", act, { once: true });
}

async function asText(console: Console, runtime: AgentRuntime, session: Session, turn: Turn): Promise<TurnResult> {
  const looks = { live: console.stdout.isTTY, ...console.paint };
  const renderer = new TurnRenderer(looks, session.model);
  return followTurn(runtime, turn, (event) => writePieces(console, renderer.render(event)));
}

async function asJson(console: Console, runtime: AgentRuntime, session: Session, turn: Turn): Promise<TurnResult> {
  const final = new FinalText();
  const looks = { live: false, ...console.paint };
  const renderer = new TurnRenderer(looks, session.model);
  const take = async (event: AgentRuntimeEvent): Promise<void> => {
    final.add(event);
    await writeJson(console, event);
    await writePieces(console, renderer.render(event).filter(({ to }) => to === "err"));
  };
  const { turnId, outcome, reason, seq } = await followTurn(runtime, turn, take);
  const result = { turnId, outcome, reason, text: final.text, seq };
  await writeJson(console, { type: "result", sessionId: turn.sessionId, ...result });
  return { turnId, outcome, reason, seq };
}
