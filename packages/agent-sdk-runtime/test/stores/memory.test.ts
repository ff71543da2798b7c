import { describe, expect, test } from "vitest";
import { memoryDatabase, memoryStore } from "../../src/stores/memory/index.ts";
import { storeConformance } from "../../src/testing/store-conformance.ts";
import { newSession } from "../../src/testing/store-samples.ts";

describe("the store in memory", () => {
  const cases = storeConformance({
    supports: { severalHosts: true, readers: true },
    place() {
      const of = memoryDatabase();
      return { store: () => memoryStore({ of }) };
    },
  });

  test.each(cases)("$title ($id)", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  test("keeps to itself unless it is told what to share", async () => {
    const [one, two] = [memoryStore(), memoryStore()];
    await Promise.all([one.open("host"), two.open("host")]);
    await one.create(newSession("a"));
    expect(await two.session("a")).toBeUndefined();
    expect(one.storeId).not.toBe(two.storeId);
  });

  test("shares nothing but what memoryDatabase made", () => {
    expect(() => memoryStore({ of: { storeId: "x" } })).toThrow(
      expect.objectContaining({ code: "invalid-input" }),
    );
  });
});
