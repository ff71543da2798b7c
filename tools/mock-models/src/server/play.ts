import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate, setTimeout as delay } from "node:timers/promises";
import type { Act } from "../reply/act.ts";

/** Where acts are done. */
export interface Stage {
  readonly response: ServerResponse;
  /** Aborted once the response is closed, by whomever. */
  readonly closed: AbortSignal;
  /** Resolves once the gate of that name is released; rejects when the response is closed. */
  readonly passGate: (name: string) => Promise<void>;
}

/**
 * Does the acts, one at a time: none is taken before what was written is on its way. Resolves with whether the
 * response was sent to its end or cut by an act; rejects when it is closed from outside.
 */
export async function play(acts: Iterable<Act>, stage: Stage): Promise<"answered" | "cut"> {
  const { response, closed } = stage;
  for (const act of acts) {
    closed.throwIfAborted();
    if (act.kind === "cut") {
      // Node hands the last writes to the socket only on the next turn of the event loop.
      await setImmediate();
      response.socket?.destroySoon();
      return "cut";
    }
    await perform(act, stage);
  }
  const sent = once(response, "finish", { signal: closed });
  response.end();
  await sent;
  return "answered";
}

async function perform(act: Exclude<Act, { kind: "cut" }>, stage: Stage): Promise<void> {
  const { response, closed } = stage;
  switch (act.kind) {
    case "head":
      response.writeHead(act.status, act.headers);
      break;
    case "write":
      if (!response.write(act.data)) await once(response, "drain", { signal: closed });
      break;
    case "wait":
      await delay(act.ms, undefined, { signal: closed });
      break;
    case "gate":
      await stage.passGate(act.name);
      break;
    case "hang":
      await once(response, "close");
      closed.throwIfAborted();
  }
}
