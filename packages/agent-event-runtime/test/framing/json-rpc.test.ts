import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type JsonRpcFault, type RawFrame, readJsonRpc } from "../../src/index.ts";
import { hostileValue } from "../../src/testing/index.ts";

const read = (value: unknown): unknown => readJsonRpc(value, 7);

describe("a value read as JSON-RPC", () => {
  test("its faults fit where translation wants a frame", () => {
    expectTypeOf<JsonRpcFault>().toExtend<RawFrame>();
  });

  test("is a request when it has a method and an id, whose type is kept", () => {
    expect(read({ jsonrpc: "2.0", id: 0, method: "a", params: [1] })).toEqual({
      kind: "request",
      id: 0,
      method: "a",
      params: [1],
    });
    expect(read({ id: "0", method: "a" })).toEqual({
      kind: "request",
      id: "0",
      method: "a",
      params: undefined,
    });
    expect(read({ id: "", method: "" })).toMatchObject({ kind: "request", id: "", method: "" });
  });

  test("is a notification when it has a method and no id", () => {
    expect(read({ jsonrpc: "2.0", method: "a", params: { b: 1 } })).toEqual({
      kind: "notification",
      method: "a",
      params: { b: 1 },
    });
    expect(read({ id: null, method: "a" })).toMatchObject({ kind: "notification" });
  });

  test("is a response when it has an id and a result, be it null", () => {
    expect(read({ jsonrpc: "2.0", id: 5, result: null })).toEqual({ kind: "response", id: 5, result: null });
    expect(read({ id: 5, result: 1, error: null })).toEqual({ kind: "response", id: 5, result: 1 });
  });

  test("is an error when it has one, with or without an id", () => {
    const error = { code: -32603, message: "no", data: { why: 1 } };
    expect(read({ jsonrpc: "2.0", id: "x", error })).toEqual({ kind: "error", id: "x", error });
    expect(read({ id: null, error: { code: -32700 } })).toEqual({
      kind: "error",
      id: null,
      error: { code: -32700, message: "" },
    });
    expect(read({ id: 1, error: "gone" })).toEqual({
      kind: "error",
      id: 1,
      error: { code: 0, message: "gone" },
    });
  });

  test("is broken when it is anything else", () => {
    const broken = [
      null,
      "text",
      [],
      [{ id: 1, method: "batch" }],
      {},
      { id: 51 },
      { result: 1 },
      { id: {}, method: "a" },
      { id: Number.NaN, method: "a" },
      { id: [], result: 1 },
      { id: {}, error: { code: 1 } },
      { method: 5, id: 1, result: 1 },
      JSON.parse('{"__proto__":{"method":"a"},"id":1}'),
    ];
    for (const value of broken)
      expect(read(value)).toMatchObject({ kind: "broken", reason: "not JSON-RPC", at: 7 });
  });

  test("keeps the beginning of what is broken, and its length in bytes", () => {
    expect(read({ text: "äöü😀" })).toMatchObject({ text: '{"text":"äöü😀"}', bytes: 21 });
    expect(read(["x".repeat(5000)])).toMatchObject({ text: `["${"x".repeat(1022)}`, bytes: 5004 });
  });

  test("throws at nothing, and does not look at inherited properties", () => {
    const names = fc.constantFrom(
      "id",
      "method",
      "params",
      "result",
      "error",
      "jsonrpc",
      "__proto__",
      "constructor",
    );
    fc.assert(
      fc.property(fc.oneof(hostileValue, fc.dictionary(names, hostileValue)), (value) => {
        expect(["request", "notification", "response", "error", "broken"]).toContain(
          readJsonRpc(value, 0).kind,
        );
      }),
      { numRuns: 500 },
    );
    expect(read(Object.create({ method: "a" }))).toMatchObject({ kind: "broken" });
  });
});
