// L12: every frame, both ways.
import { describe, expect, it } from "vitest";
import type { RawFrame } from "@claxedo/agent-event-runtime";
import { expectFault, isRunning, open, openAsk } from "./live-lab.ts";

interface Payload {
  readonly type?: string;
  readonly filling?: string;
  readonly index?: number;
}

function payloadOf(frame: RawFrame): Payload {
  return "payload" in frame ? (frame.payload as Payload) : {};
}

/** `>` what was sent, `<` what was received, with its type. */
function story(frames: readonly RawFrame[]): readonly string[] {
  return frames.map(
    (frame) => ("dir" in frame && frame.dir === "sent" ? ">" : "<") + (payloadOf(frame).type ?? "broken"),
  );
}

describe("the tap", () => {
  it("L12 sees every frame, both ways, in the order of the wire", async () => {
    const frames: RawFrame[] = [];
    const session = await open("agent", { tap: (frame) => void frames.push(frame), canUseTool: "manual" });
    await session.send("ask Write");
    await session.answer(await openAsk(session), { behavior: "allow" });
    await session.awaitResultAfter(0);
    await session.close();
    const start = ">control_request <control_response";
    const turn = ">user <system <assistant <control_request >control_response <user <assistant <result";
    expect(story(frames).join(" ")).toBe(`${start} ${turn} ${start}`);
    expect(frames.every((frame) => "at" in frame && Math.abs(frame.at - Date.now()) < 60_000)).toBe(true);
  });

  it("L12 sees lines that are no frames as broken ones", async () => {
    const frames: RawFrame[] = [];
    const session = await open("agent", { tap: (frame) => void frames.push(frame) });
    await session.sendAndAwait("garbage");
    expect(frames.filter((frame) => "kind" in frame)).toMatchObject([
      { kind: "broken", text: "this is no JSON" },
    ]);
  });

  it("L12 sees the very line that is handed to `write`", async () => {
    const frames: RawFrame[] = [];
    const session = await open("hello", { tap: (frame) => void frames.push(frame) });
    const request = {
      type: "control_request",
      request_id: "mine",
      request: { subtype: "mcp_status" },
    } as const;
    await session.write(request);
    expect(frames.some((frame) => payloadOf(frame) === request)).toBe(true);
    const isAnswered = (): boolean => JSON.stringify(frames).includes('"request_id":"mine","response"');
    await expect.poll(isAnswered).toBe(true);
  });

  it("L12 is before the state and the events: nothing is told that it has not seen", async () => {
    const seen = new Set<string>();
    const session = await open("agent", {
      tap: async (frame) => {
        await new Promise((resolve) => setImmediate(resolve));
        seen.add(String((payloadOf(frame) as { readonly uuid?: string }).uuid));
      },
    });
    const reading = (async () => {
      for await (const message of session.events)
        if (message["uuid"] !== undefined) expect(seen).toContain(message["uuid"]);
    })();
    const result = await session.sendAndAwait("answer x\nslow-tool true");
    expect(seen).toContain(result["uuid"]);
    await session.close();
    await reading;
  });

  it("L12 is offered a sent frame before it is written, and the write waits for it", async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let offered: () => void = () => undefined;
    const isOffered = new Promise<void>((resolve) => (offered = resolve));
    const session = await open("numbered", {
      tap: async (frame) => {
        if (payloadOf(frame).type !== "user") return;
        offered();
        await held;
      },
    });
    let written = false;
    const sending = session.send("1", { uuid: crypto.randomUUID() }).then(() => (written = true));
    await isOffered;
    // Others wait behind it: lines are written in the order in which they were offered.
    let overtook = false;
    const behind = session.mcpStatus().finally(() => (overtook = !written));
    await expectFault(session.awaitResultAfter(0, { timeoutMs: 100 }), "timeout");
    expect(written).toBe(false);
    expect(session.state.sends.size).toBe(0);
    letGo();
    await sending;
    expect((await session.awaitResultAfter(0)).result).toBe("1");
    expect(await behind).toEqual({ mcpServers: [] });
    expect(overtook).toBe(false);
  });

  it("L12 slows the reader when it is slow, and loses nothing of 50 MB", async () => {
    let [most, waiting, next, bytes] = [0, 0, 0, 0];
    const session = await open("flood", {
      eventsBuffer: 1,
      tap: async (frame) => {
        const { type, index, filling = "" } = payloadOf(frame);
        if (type !== "flood") return;
        most = Math.max(most, ++waiting);
        expect(index).toBe(next++);
        bytes += filling.length;
        if (next % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        waiting -= 1;
      },
    });
    const heap = process.memoryUsage().arrayBuffers;
    expect((await session.sendAndAwait("500 100000", { timeoutMs: 25_000 })).result).toBe("500");
    expect([most, next, bytes]).toEqual([1, 500, 50_000_000]);
    expect(process.memoryUsage().arrayBuffers - heap).toBeLessThan(40_000_000);
  });

  it("L12 holds the CLI up while it does not come back", async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let received = 0;
    const session = await open("flood", {
      tap: async (frame) => {
        if (payloadOf(frame).type !== "flood") return;
        received += 1;
        if (received === 1) await held;
      },
    });
    await session.send("200 100000");
    await expectFault(session.awaitResultAfter(0, { timeoutMs: 300 }), "timeout");
    expect(received).toBe(1);
    expect(session.state.resultsSeen).toBe(0);
    letGo();
    expect((await session.awaitResultAfter(0)).result).toBe("200");
    expect(received).toBe(200);
  });

  it.each([
    ["received", "assistant"],
    ["sent", "user"],
  ])("L12 that throws at a %s frame ends the session", async (_, type) => {
    const session = await open("hello", {
      tap: (frame) => {
        if (payloadOf(frame).type === type) throw new Error("the tap is broken");
      },
    });
    const error = await expectFault(session.sendAndAwait("hi"), "protocol");
    expect(error.message).toContain("the tap is broken");
    expect((await session.terminated).error.fault.kind).toBe("protocol");
    await session.close();
    expect(isRunning(session.pid)).toBe(false);
    await expectFault(session.send("again"), "protocol");
  });

  it("L12 that throws at the first frame fails the start", async () => {
    const tap = (): never => {
      throw new Error("no frames, please");
    };
    const error = await expectFault(open("hello", { tap }), "protocol");
    expect(error.message).toContain("no frames, please");
  });

  it("L12 that never comes back does not keep the session from closing", async () => {
    let stuck = false;
    const session = await open("hello", {
      closeTimeoutMs: 1000,
      tap: (frame) =>
        payloadOf(frame).type === "assistant" ? new Promise<void>(() => (stuck = true)) : undefined,
    });
    const waiting = session.sendAndAwait("hi");
    await expect.poll(() => stuck).toBe(true);
    const began = Date.now();
    await session.close();
    expect(Date.now() - began).toBeLessThan(5000);
    await expectFault(waiting, "closed");
    expect(isRunning(session.pid)).toBe(false);
  });

  it("L12 that comes back after the end changes nothing any more", async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let stuck = false;
    const session = await open("hello", {
      closeTimeoutMs: 500,
      tap: async (frame) => {
        if (payloadOf(frame).type !== "result") return;
        stuck = true;
        await held;
      },
    });
    await session.send("hi");
    await expect.poll(() => stuck).toBe(true);
    await session.close();
    const { state } = session;
    letGo();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(session.state).toBe(state);
  });

  it("L12 that answers a sent frame only after the end tells the writer of the end", async () => {
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const session = await open("hello", {
      closeTimeoutMs: 500,
      tap: (frame) => (payloadOf(frame).type === "user" ? held : undefined),
    });
    const sending = session.send("hi");
    await session.close();
    letGo();
    await expectFault(sending, "closed");
  });
});
