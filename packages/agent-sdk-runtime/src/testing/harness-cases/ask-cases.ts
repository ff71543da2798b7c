import assert from "node:assert/strict";
import type { EventOf, PermissionOption } from "@claxedo/agent-event-runtime";
import type { PermissionAnswer } from "../../harness/harness.ts";
import type { HarnessTalk } from "../harness-talk.ts";
import type { HarnessCase, HarnessTrial } from "../harness-trial.ts";

/** What a harness does that asks. */
export const askCases: readonly HarnessCase[] = [
  {
    id: "harness-ask-allow",
    title: "asks, takes an answer only when it is written, and goes on when it is allowed",
    needs: ["permissions"],
    prompt: "ask",
    async check(trial) {
      const { talk, request } = await asked(trial);
      talk.answerFrame(request, answerOf(request, "deny"));
      await talk.answer(request, answerOf(request, "allow"));
      assert.deepEqual(endOf(talk, request), { outcome: "allowed", by: "user", scope: "once" });
      assert.equal((await talk.until("run.ended")).outcome, "completed");
      const call = talk.all("tool.ended").find(({ callId }) => callId === request.callId);
      assert.ok(request.callId === undefined || call?.outcome === "ok", "the call did not run");
      talk.finish();
    },
  },
  {
    id: "harness-ask-deny",
    title: "does not do what is refused, by whomever, and goes on",
    needs: ["permissions"],
    prompt: "ask",
    async check(trial) {
      const { talk, request } = await asked(trial);
      await talk.answer(request, { ...answerOf(request, "deny"), message: "Not this time." }, "policy");
      assert.deepEqual(endOf(talk, request), { outcome: "denied", by: "policy", scope: "once" });
      await talk.until("run.ended");
      const call = talk.all("tool.ended").find(({ callId }) => callId === request.callId);
      assert.ok(request.callId === undefined || call?.outcome === "denied", "the call was not denied");
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
  {
    id: "harness-ask-cancel",
    title: "does not wait for an answer any more when it is interrupted",
    needs: ["permissions"],
    prompt: "ask",
    async check(trial) {
      const { talk, request } = await asked(trial);
      await talk.interrupt();
      assert.equal((await talk.until("run.ended")).outcome, "cancelled");
      assert.equal(endOf(talk, request)?.outcome, "cancelled");
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
  {
    id: "harness-question-answer",
    title: "asks the user, and takes the answers",
    needs: ["questions"],
    prompt: "question",
    async check(trial) {
      const { talk, request } = await questioned(trial);
      const answers = request.questions.map(({ options }) => [options[0]?.label ?? "As you like."]);
      await talk.answer(request, { kind: "question", answers });
      const { requestId } = request;
      const ended = talk.all("question.ended").find((event) => event.requestId === requestId);
      assert.deepEqual([ended?.outcome, ended?.by], ["answered", "user"]);
      assert.deepEqual(ended?.answers, answers.flat());
      assert.equal((await talk.until("run.ended")).outcome, "completed");
      talk.finish();
    },
  },
  {
    id: "harness-question-refuse",
    title: "goes on when the user does not want to answer",
    needs: ["questions"],
    prompt: "question",
    async check(trial) {
      const { talk, request } = await questioned(trial);
      await talk.answer(request, { kind: "question", answers: undefined, message: "Decide yourself." });
      const { requestId } = request;
      const ended = talk.all("question.ended").find((event) => event.requestId === requestId);
      assert.deepEqual([ended?.outcome, ended?.by], ["rejected", "user"]);
      await talk.until("run.ended");
      assert.equal((await talk.run(trial.prompts.answer)).outcome, "completed");
      talk.finish();
    },
  },
];

async function asked(
  trial: HarnessTrial,
): Promise<{ readonly talk: HarnessTalk; readonly request: EventOf<"permission.requested"> }> {
  const talk = await trial.connect();
  await talk.send(trial.prompts.ask ?? "");
  return { talk, request: await talk.until("permission.requested") };
}

async function questioned(
  trial: HarnessTrial,
): Promise<{ readonly talk: HarnessTalk; readonly request: EventOf<"question.requested"> }> {
  const talk = await trial.connect();
  await talk.send(trial.prompts.question ?? "");
  const request = await talk.until("question.requested");
  assert.ok(request.questions.length > 0, "it asks nothing");
  return { talk, request };
}

/** The answer that takes, for this once, an option of that effect. */
function answerOf(
  { options }: EventOf<"permission.requested">,
  effect: PermissionOption["effect"],
): PermissionAnswer {
  const option = options.find((known) => known.effect === effect && known.scope === "once");
  assert.ok(option !== undefined, `there is no option to ${effect} it once`);
  return { kind: "permission", option };
}

function endOf(
  talk: HarnessTalk,
  request: EventOf<"permission.requested">,
): Pick<EventOf<"permission.ended">, "outcome" | "by" | "scope"> | undefined {
  const ended = talk.all("permission.ended").find(({ requestId }) => requestId === request.requestId);
  if (ended === undefined) return undefined;
  const { outcome, by, scope } = ended;
  return { outcome, by, ...(scope === undefined ? undefined : { scope }) };
}
