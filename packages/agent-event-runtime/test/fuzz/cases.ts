import { createNdjsonDecoder, createSseDecoder, projections } from "../../src/index.ts";
import {
  type ConformanceCase,
  type Effort,
  type FramingSubject,
  type PlayStep,
  adapterConformance,
  framingConformance,
  projectionConformance,
} from "../../src/testing/index.ts";
import { recordedHistories, subjects } from "../subjects.ts";

/** A case of a kit under the name of what it is about: `pi/adapter-total`. */
export interface FuzzCase {
  readonly name: string;
  readonly run: () => void;
}

/** Cases that make nothing up: no seed changes them, and every test run has them. */
export const SEEDLESS: ReadonlySet<string> = new Set([
  "adapter-expected",
  "adapter-small",
  "adapter-unique",
  "framing-cut-in-two",
  "projection-once",
  "projection-small",
]);

/** The laws of every adapter, projection and framing that comes with the package, as the kits have them. */
export function kitCases(
  effort: Effort,
): readonly (readonly [about: string, cases: readonly ConformanceCase[]])[] {
  const histories = recordedHistories().map(({ events }) => events);
  const lines = streams((text) => `${text}\n`);
  const events = streams((text) => `data: ${text}\n\n`);
  return [
    ...subjects.map((subject) => [subject.adapter().id, adapterConformance({ ...subject, effort })] as const),
    ...[...projections].map(([id, projection]) => {
      const supports = { rows: id === "transcript" };
      return [
        id,
        projectionConformance({ projection: () => projection, histories, supports, effort }),
      ] as const;
    }),
    [
      "ndjson",
      framingConformance({ decoder: createNdjsonDecoder, streams: lines, supports: { lines: true }, effort }),
    ],
    ["sse", framingConformance({ decoder: () => createSseDecoder(), streams: events, effort })],
  ];
}

/** Those of them that seeds change, and whose name begins like this. */
export function fuzzCases(effort: Effort, only: string): readonly FuzzCase[] {
  return kitCases(effort).flatMap(([about, cases]) =>
    cases
      .filter(({ id }) => !SEEDLESS.has(id))
      .map(({ id, run }) => ({ name: `${about}/${id}`, run }))
      .filter(({ name }) => name.startsWith(only)),
  );
}

/** What the programs said, as bytes: `framed` puts a text into its frame. */
function streams(framed: (text: string) => string): FramingSubject["streams"] {
  const encoder = new TextEncoder();
  return subjects
    .flatMap(({ recordings }) => recordings)
    .map(({ name, steps }) => ({
      name,
      bytes: encoder.encode(
        receivedIn(steps)
          .map((payload) => framed(JSON.stringify(payload)))
          .join(""),
      ),
    }));
}

function receivedIn(steps: readonly PlayStep[]): readonly unknown[] {
  return steps.flatMap((step) =>
    step.do === "frame" && step.frame.kind === undefined && step.frame.dir === "received"
      ? [step.frame.payload]
      : [],
  );
}
