import type { Json, RawFrame, WireFrame } from "@claxedo/agent-event-runtime";
import type { ConnectRequest, Harness, HarnessOffer } from "../../src/harness/harness.ts";
import type { HarnessConnection } from "../../src/harness/harness-connection.ts";
import {
  type HarnessPrompts,
  type HarnessSupports,
  scriptedClaude,
  scriptedHarness,
} from "../../src/testing/index.ts";
import { replaced } from "./replaced.ts";

/** The scripted harness, or the one that can do all, otherwise; `supports` as it then says of itself. */
export interface Bad {
  readonly all?: true;
  readonly harness?: (real: Harness) => Partial<Harness>;
  readonly connection?: (real: HarnessConnection) => Partial<HarnessConnection>;
  readonly supports?: HarnessSupports;
  readonly prompts?: Partial<HarnessPrompts>;
}

/** The harness as it then is. */
export function spoilt({ all, harness, connection, supports }: Bad): Harness {
  const real = all === undefined ? scriptedHarness() : scriptedClaude();
  const { resume = all === true, history = false } = supports ?? {};
  const connect = async (request: ConnectRequest): Promise<HarnessConnection> => {
    const opened = await real.connect(request);
    return connection === undefined ? opened : replaced(opened, connection(opened));
  };
  return replaced<Harness>(real, {
    capabilities: { ...real.capabilities, resume, history },
    connect,
    ...harness?.(real),
  });
}

/** Hands only those frames on that pass. */
export function reading(pass: (payload: Json, frame: RawFrame) => boolean): Bad {
  return {
    connection: (real) => ({
      async read() {
        for (;;) {
          const frames = await real.read();
          const left = frames?.filter((frame) =>
            pass(frame.kind === undefined ? (frame.payload as Json) : null, frame),
          );
          if (left === undefined || left.length > 0) return left;
        }
      },
    }),
  };
}

/** The type that a line says it is of. */
export function typeOf(payload: Json): unknown {
  return typeof payload === "object" && payload !== null && "type" in payload ? payload["type"] : undefined;
}

/** An offer of nothing. */
export const nothing: HarnessOffer = { models: [], modes: [], commands: [] };

/** Answers are handed over otherwise. */
export function answering(
  real: HarnessConnection,
  change: (frame: WireFrame) => WireFrame,
): Partial<HarnessConnection> {
  return {
    answer(answer) {
      const frame = real.answer?.(answer);
      if (frame === undefined) throw new Error("It takes no answers.");
      return change(frame);
    },
  };
}

/** The frame with its payload's JSON changed. */
export function edited(frame: WireFrame, change: (text: string) => string): WireFrame {
  return { ...frame, payload: JSON.parse(change(JSON.stringify(frame.payload))) as Json };
}

/** The frame that says yes where it said no. */
export function allowed(frame: WireFrame): WireFrame {
  return edited(frame, (text) => text.replace('"deny"', '"allow"'));
}
