// Recordings of the real CLI, played to a session by the lines of their host.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { RawFrame } from "@claxedo/agent-event-runtime";
import { openSession } from "../../src/live/claude-code.ts";
import type { SentLine } from "../../src/live/input.ts";
import type { LiveSession } from "../../src/live/live-session.ts";
import type { ClaudeMessage } from "../../src/live/messages.ts";
import { type HostLine, readRecording, type RecordedLine } from "../claude/fake/recording.ts";
import { fake } from "./live-lab.ts";

const fixtures = fileURLToPath(
  new URL("../../../agent-event-runtime/src/adapters/claude/fixtures", import.meta.url),
);
const cwd = mkdtempSync(join(tmpdir(), "claxedo-recordings-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

interface Play {
  readonly name: string;
  readonly path: string;
  readonly process: number;
  readonly lines: readonly RecordedLine[];
}

const plays: readonly Play[] = readdirSync(fixtures)
  .toSorted()
  .flatMap((name) => {
    const path = join(fixtures, name, "recording.jsonl");
    if (!existsSync(path)) return [];
    return readRecording(path).map((lines, process) => ({
      name: `${name}/${process}`,
      path,
      process,
      lines,
    }));
  });

/** A session on a recording: what came, and the ids of this run for the recorded ones. */
class Replay {
  readonly received: unknown[] = [];
  readonly #ids = new Map<string, string>();
  readonly #lines: readonly RecordedLine[];
  /** Requests of the session's own, which no recording holds: their answers are left out. */
  readonly #own = new Set<unknown>();
  readonly #sent = new Set<unknown>();

  constructor(lines: readonly RecordedLine[]) {
    this.#lines = lines;
  }

  readonly tap = (frame: RawFrame): void => {
    if (!("dir" in frame)) return void this.received.push(frame);
    const {
      type,
      request_id: id,
      response,
    } = frame.payload as HostLine & { response?: { request_id?: unknown } };
    if (frame.dir === "received") {
      if (type !== "control_response" || !this.#own.has(response?.request_id))
        this.received.push(frame.payload);
    } else if (type === "control_request" && !this.#sent.has(frame.payload)) {
      const recorded = this.#handshake();
      if (recorded === undefined || this.#ids.has(recorded)) this.#own.add(id);
      else this.#ids.set(recorded, String(id));
    }
  };

  /** Sends what the recording's host sent, each line once all that came before it has come. */
  async drive(session: LiveSession): Promise<void> {
    let expected = 0;
    for (const step of this.#lines) {
      if (step.by === "cli") expected += 1;
      else if (step.line.request_id === undefined || step.line.request_id !== this.#handshake()) {
        await this.#reach(expected);
        const line = this.#renewed(step.line);
        this.#sent.add(line);
        await session.write(line);
      }
    }
    await this.#reach(expected);
  }

  /** What the CLI wrote in the recording, with the ids of this run. */
  expected(): readonly ClaudeMessage[] {
    return this.#lines.flatMap((step) => {
      if (step.by === "host") return [];
      const text = [...this.#ids].reduce((line, [theirs, ours]) => line.replaceAll(theirs, ours), step.text);
      return [JSON.parse(text) as ClaudeMessage];
    });
  }

  /** The id of the recorded `initialize`, if the recording begins with one: the session has its own. */
  #handshake(): string | undefined {
    const [first] = this.#lines;
    if (first?.by !== "host" || first.line.request?.subtype !== "initialize") return undefined;
    return first.line.request_id;
  }

  /** A line with ids of this run; those of answers are the CLI's. */
  #renewed(line: HostLine): SentLine {
    const fresh = (id: string): string => {
      const ours = this.#ids.get(id) ?? crypto.randomUUID();
      this.#ids.set(id, ours);
      return ours;
    };
    const uuid = line.uuid === undefined ? undefined : { uuid: fresh(line.uuid) };
    const { type, request_id: id = "" } = line;
    return {
      ...line,
      ...uuid,
      ...(type === "control_request" && { request_id: fresh(id) }),
    } as unknown as SentLine;
  }

  async #reach(count: number): Promise<void> {
    await vi.waitUntil(() => this.received.length >= count, { timeout: 20_000, interval: 5 });
  }
}

/** What the state must be by the CLI's lines alone. */
function countsOf(messages: readonly ClaudeMessage[]): object {
  const results = messages.filter(({ type }) => type === "result");
  const isTask = ({ origin }: ClaudeMessage): boolean =>
    (origin as { readonly kind?: string } | undefined)?.kind === "task-notification";
  return {
    resultsSeen: results.filter((result) => !isTask(result)).length,
    backgroundResults: results.filter(isTask).length,
    unparsedLines: 0,
  };
}

/** The last word on every send, and which real result named it. */
function fatesOf(messages: readonly ClaudeMessage[]): ReadonlyMap<unknown, object> {
  const fates = new Map<unknown, { state?: unknown; result?: number }>();
  let results = 0;
  for (const message of messages) {
    if (message.type === "command_lifecycle") {
      const uuid = message["command_uuid"];
      const known = fates.get(uuid);
      if (known !== undefined || message["state"] !== "completed")
        fates.set(uuid, { ...known, state: message["state"] });
      else fates.set(uuid, { state: "known" });
    }
    if (message.type !== "result" || "origin" in message) continue;
    results += 1;
    for (const uuid of (message["user_message_uuids"] ?? []) as unknown[])
      fates.set(uuid, { ...fates.get(uuid), result: results });
  }
  return fates;
}

describe("a recording of the real CLI", () => {
  it("is there, by the dozen", () => expect(plays.length).toBeGreaterThan(50));

  it.concurrent.for(plays)("$name is read whole, counted right and closed well", async (play, { expect }) => {
    const replay = new Replay(play.lines);
    const env = { FAKE_RECORDING: play.path, FAKE_PROCESS: String(play.process) };
    const options = { cwd, binary: fake("replay"), canUseTool: "manual", env, tap: replay.tap } as const;
    await using session = await openSession(options);
    await replay.drive(session);
    const expected = replay.expected();
    expect(replay.received).toEqual(expected);
    const { state } = session;
    expect(state).toMatchObject(countsOf(expected));
    const init = expected.findLast((message) => message["subtype"] === "init");
    expect(state.sessionId).toBe(
      (init ?? expected.find((message) => "session_id" in message))?.["session_id"],
    );
    const fates = fatesOf(expected);
    for (const [uuid, fate] of state.sends) expect(fate).toEqual(fates.get(uuid) ?? { state: "written" });
    await session.close();
    expect(session.state.end).toMatchObject({ code: 0, error: { fault: { kind: "closed" } } });
    expect(session.state).toMatchObject(countsOf(expected));
  });
});
