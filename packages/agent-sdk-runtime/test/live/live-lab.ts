import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { openSession } from "../../src/live/claude-code.ts";
import { CLIError, type CLIFault } from "../../src/live/cli-error.ts";
import type { LiveSession } from "../../src/live/live-session.ts";
import type { LiveState } from "../../src/live/live-state.ts";
import type { ClaudeMessage, LiveMessage } from "../../src/live/messages.ts";
import type { LiveSessionOptions } from "../../src/live/options.ts";

/** A program of the fake CLI: of Node, where its name has no ending. */
export function fake(name: string): string {
  const file = name.includes(".") ? name : `${name}.mjs`;
  return fileURLToPath(new URL(`../claude/fake/programs/${file}`, import.meta.url));
}

/** A folder that goes when the test is over. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "claxedo-live-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Options for a fake CLI with a workspace and a configuration of its own. */
export function optionsFor(program: string, options: Partial<LiveSessionOptions> = {}): LiveSessionOptions {
  const root = scratch();
  const [cwd, configDir] = [join(root, "workspace"), join(root, "config")];
  for (const folder of [cwd, configDir]) mkdirSync(folder);
  const common = { cwd, binary: fake(program), closeTimeoutMs: 5000 };
  return { ...common, ...options, env: { CLAUDE_CONFIG_DIR: configDir, ...options.env } };
}

/** A session with a fake CLI; it is closed when the test is over. */
export async function open(program: string, options?: Partial<LiveSessionOptions>): Promise<LiveSession> {
  const session = await openSession(optionsFor(program, options));
  onTestFinished(() => session.close());
  return session;
}

/** The state once it passes a test. */
export async function until(session: LiveSession, test: (state: LiveState) => boolean): Promise<LiveState> {
  for await (const state of session.stateChanges) if (test(state)) return state;
  throw new Error(`The session ended before: ${session.state.end?.error.message}`);
}

/** The first open request of the CLI. */
export async function openAsk(session: LiveSession): Promise<ClaudeMessage> {
  const { asks } = await until(session, (state) => state.asks.length > 0);
  return asks[0] as ClaudeMessage;
}

/** The first message from now on that passes a test. */
export async function message(
  session: LiveSession,
  test: (message: LiveMessage) => boolean,
): Promise<LiveMessage> {
  for await (const each of session.events) if (test(each)) return each;
  throw new Error(`The session ended before: ${session.state.end?.error.message}`);
}

/** Everything that comes from now on, in a list that grows. */
export function collect(session: LiveSession): LiveMessage[] {
  const messages: LiveMessage[] = [];
  void (async () => {
    for await (const message of session.events) messages.push(message);
  })();
  return messages;
}

/** What a promise is rejected with, which must be a CLIError of this kind. */
export async function expectFault<Kind extends CLIFault["kind"]>(
  promise: Promise<unknown>,
  kind: Kind,
): Promise<CLIError & { readonly fault: Extract<CLIFault, { kind: Kind }> }> {
  const error: unknown = await promise.then(
    (value) => expect.fail(`it was fulfilled with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  expect(CLIError.is(error), String(error)).toBe(true);
  expect((error as CLIError).fault.kind, String(error)).toBe(kind);
  return error as CLIError & { readonly fault: Extract<CLIFault, { kind: Kind }> };
}

/** Whether a process is there and no zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** The text of a result. */
export function textOf(state: LiveState): string | undefined {
  return state.lastResult?.result;
}
