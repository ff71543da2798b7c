import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../src");

/** What files of one place may import, besides files of the same folder: paths below `src`, and packages. */
interface ImportRule {
  readonly from: RegExp;
  readonly may: readonly RegExp[];
}

const EVENTS = /^package:@claxedo\/agent-event-runtime$/;
const NODE = /^package:node:/;
const CONTRACTS = /^(stores\/session-store|harness\/harness|harness\/harness-connection)\.ts$/;

/** Who may import whom: the first rule that matches a file holds for it. */
const rules: readonly ImportRule[] = [
  { from: /^errors\//, may: [] },
  { from: /^base\//, may: [/^errors\//] },
  // Decisions: no I/O, no clock, nothing but state and events.
  {
    from: /^session\/(session-(machine|state|status)|turn-machine|recovery-plan|resume-plan|silence-plan)\.ts$/,
    may: [EVENTS],
  },
  {
    from: /^session\//,
    may: [EVENTS, NODE, /^(base|errors)\//, CONTRACTS, /^harness\/(owner-mark|process-registry)\.ts$/],
  },
  { from: /^runtime\//, may: [EVENTS, NODE, /^(base|errors|session)\//, CONTRACTS] },
  { from: /^harness\//, may: [EVENTS, NODE, /^(base|errors)\//] },
  // The live session stands on its own: it knows neither sessions of ours nor stores nor harnesses.
  {
    from: /^live\/(live-state|messages|host-requests|message-hub|stray-line|cli-error|options)\.ts$/,
    may: [EVENTS, /^(base|errors)\//, /^live\/archive\/archive(-report)?\.ts$/],
  },
  { from: /^live\/archive\//, may: [NODE, /^base\//, /^live\/input\.ts$/] },
  {
    from: /^live\//,
    may: [EVENTS, NODE, /^(base|errors|live)\//, /^harness\/(frame-queue|process-(registry|table))\.ts$/],
  },
  { from: /^harnesses\/index\.ts$/, may: [/^harnesses\//] },
  { from: /^harnesses\/claude\//, may: [EVENTS, NODE, /^(base|errors|harness|live)\//] },
  {
    from: /^harnesses\/([^/]+)\//,
    may: [EVENTS, NODE, /^(base|errors|harness)\//, /^package:@earendil-works\/pi-coding-agent$/],
  },
  { from: /^harnesses\//, may: [/^harness\//] },
  {
    from: /^stores\/session-store\.ts$/,
    may: [EVENTS, /^session\/session-state\.ts$/, /^harness\/harness\.ts$/],
  },
  {
    from: /^stores\/sqlite\//,
    may: [
      EVENTS,
      NODE,
      /^(base|errors)\//,
      CONTRACTS,
      /^stores\/sqlite\//,
      /^session\/session-state\.ts$/,
      /^package:(kysely|kysely\/migration|better-sqlite3)$/,
    ],
  },
  {
    from: /^stores\//,
    may: [EVENTS, NODE, /^(base|errors)\//, /^stores\/session-store\.ts$/, /^session\/session-state\.ts$/],
  },
  {
    from: /^testing\//,
    may: [
      EVENTS,
      NODE,
      /^testing\//,
      /^(base|errors)\//,
      CONTRACTS,
      /^session\/session-state\.ts$/,
      /^harness\/frame-queue\.ts$/,
    ],
  },
  { from: /^index\.ts$/, may: [/^(errors|harness|runtime|session)\//, /^stores\/session-store\.ts$/] },
];

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
const imports: readonly Import[] = files.flatMap((from) =>
  [...readFileSync(join(SRC, from), "utf8").matchAll(/\bfrom\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/g)].map(
    ([, named, dynamic]) => ({ from, to: resolved(from, named ?? dynamic ?? "") }),
  ),
);

function resolved(from: string, specifier: string): string {
  return specifier.startsWith(".")
    ? relative(SRC, join(SRC, dirname(from), specifier))
    : `package:${specifier}`;
}

function allowed({ from, to }: Import): boolean {
  const rule = rules.find((known) => known.from.test(from));
  return rule !== undefined && (dirname(from) === dirname(to) || rule.may.some((place) => place.test(to)));
}

test("files import only what the rules for their place allow", () => {
  expect(imports.length).toBeGreaterThan(100);
  expect(imports.filter((one) => !allowed(one))).toEqual([]);
});

test("the rules forbid what they should", () => {
  const forbidden: readonly Import[] = [
    { from: "session/session-machine.ts", to: "package:node:fs" },
    { from: "session/session-runner.ts", to: "stores/sqlite/index.ts" },
    { from: "session/session-runner.ts", to: "harnesses/pi/harness.ts" },
    { from: "runtime/agent-runtime.ts", to: "package:better-sqlite3" },
    { from: "harnesses/pi/connection.ts", to: "session/session-runner.ts" },
    { from: "harnesses/pi/connection.ts", to: "harnesses/claude/harness.ts" },
    { from: "harnesses/pi/connection.ts", to: "live/live-session.ts" },
    { from: "live/live-state.ts", to: "package:node:fs" },
    { from: "live/live-session.ts", to: "session/session-runner.ts" },
    { from: "stores/memory/memory-store.ts", to: "stores/sqlite/reads.ts" },
    { from: "index.ts", to: "harnesses/index.ts" },
    { from: "index.ts", to: "stores/sqlite/index.ts" },
  ];
  expect(forbidden.filter(allowed)).toEqual([]);
});
