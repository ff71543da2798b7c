import { EventEmitter } from "node:events";
import { Writable } from "node:stream";
import { AgentRuntimeError } from "@claxedo/agent-sdk-runtime";
import { expect, test } from "vitest";
import { Cancelled } from "../src/cancelled.ts";
import { exitCodeOfError, exitCodeOfOutcome } from "../src/exit-code.ts";
import { FinalText } from "../src/final-text.ts";
import { Interrupts } from "../src/host/interrupts.ts";
import { Output } from "../src/host/output.ts";
import { isNodeSupported } from "../src/node-version.ts";
import { piSessionsFolder, storePath } from "../src/store-path.ts";
import { UsageError } from "../src/usage-error.ts";

test("maps outcomes and errors to exit codes", () => {
  expect((["completed", "failed", "cancelled"] as const).map(exitCodeOfOutcome)).toEqual([0, 1, 3]);
  expect(exitCodeOfError(new UsageError("x"))).toBe(2);
  expect(exitCodeOfError(new Cancelled())).toBe(3);
  expect(exitCodeOfError(new AgentRuntimeError("directory-missing", "x"))).toBe(2);
  expect(exitCodeOfError(new AgentRuntimeError("owned-elsewhere", "x"))).toBe(1);
  expect(exitCodeOfError(new AgentRuntimeError("store-full", "x"))).toBe(1);
  expect(exitCodeOfError("anything")).toBe(1);
});

test("finds the store by option, then environment, then the user's state folder", () => {
  const at = (env: Record<string, string>, named?: string): string =>
    storePath(named, { env, home: "/home/u", cwd: "/clone" });
  expect(at({ CLAXEDO_STORE: "/e.db" }, "s.db")).toBe("/clone/s.db");
  expect(at({ CLAXEDO_STORE: "e.db" })).toBe("/clone/e.db");
  expect(at({ CLAXEDO_STORE: "", XDG_STATE_HOME: "/x" })).toBe("/x/claxedo/claxedo.db");
  expect(at({ XDG_STATE_HOME: "relative" })).toBe("/home/u/.local/state/claxedo/claxedo.db");
  expect(piSessionsFolder("/x/claxedo/claxedo.db")).toBe("/x/claxedo/pi-sessions");
});

test("knows which versions of Node will do", () => {
  expect(["22.19.0", "24.0.0", "22.20.1"].every(isNodeSupported)).toBe(true);
  expect(["20.20.2", "22.18.9", "18.0.0"].some(isNodeSupported)).toBe(false);
});

test("waits with the next output until the last is read", async () => {
  const written: string[] = [];
  let read: () => void = () => undefined;
  const slow = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write(chunk: string, _, done) {
      written.push(chunk);
      read = done;
    },
  });
  const output = new Output(slow, { vital: true });
  let ready = false;
  const writing = output.write("one").then(() => (ready = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect({ written, ready }).toEqual({ written: ["one"], ready: false });
  read();
  await writing;
  expect(ready).toBe(true);
});

function failing(code: string): Writable {
  return new Writable({
    highWaterMark: 1,
    write: (_chunk, _, done) => done(Object.assign(new Error(code), { code })),
  });
}

test("goes on without a reader that has gone away, and tells it", async () => {
  const output = new Output(failing("EPIPE"), { vital: true });
  await output.write("lost");
  await new Promise((resolve) => setImmediate(resolve));
  expect(output.gone.aborted).toBe(true);
  await output.write("lost too");
  await output.flush();
});

test("fails when vital output cannot be written, and only then", async () => {
  const vital = new Output(failing("ENOSPC"), { vital: true });
  await expect(vital.write("x").then(() => vital.write("y"))).rejects.toThrow(
    "The output cannot be written: ENOSPC",
  );
  const other = new Output(failing("ENOSPC"), { vital: false });
  await other.write("x");
  await other.write("y");
});

test("asks to stop at the first signal, and ends at the second once the last words are said", async () => {
  const source = new EventEmitter();
  let exits = 0;
  const interrupts = new Interrupts(source, () => (exits += 1));
  let said: () => void = () => undefined;
  interrupts.lastWords = () => new Promise<void>((resolve) => (said = resolve));
  source.emit("SIGTERM");
  expect({ asked: interrupts.asked.aborted, exits }).toEqual({ asked: true, exits: 0 });
  source.emit("SIGINT");
  expect(exits).toBe(0);
  said();
  await new Promise((resolve) => setImmediate(resolve));
  expect(exits).toBe(1);
  source.emit("SIGINT");
  expect(exits).toBe(2);
});

test("takes the text of the last message that has any as the final one", () => {
  const final = new FinalText();
  const envelope = { v: 1, seq: 1, sessionId: "s", time: 0, adapter: "pi" } as const;
  const start = (messageId: string, role: "assistant" | "user" = "assistant"): void =>
    final.add({ ...envelope, type: "message.started", messageId, role });
  const text = (messageId: string, partId: string, words: string, agent?: readonly string[]): void =>
    final.add({
      ...envelope,
      type: "message.delta",
      messageId,
      partId,
      kind: "text",
      text: words,
      ...(agent && { agent }),
    });
  start("a");
  text("a", "1", "first");
  start("b");
  text("b", "1", "se");
  text("b", "1", "cond");
  text("b", "2", "half");
  final.add({ ...envelope, type: "part.ended", messageId: "b", partId: "2", kind: "text", text: "whole" });
  expect(final.text).toBe("second\nwhole");
  start("c");
  start("u", "user");
  text("u", "1", "the user's");
  text("x", "1", "a subagent's", ["task"]);
  expect(final.text).toBe("second\nwhole");
});
