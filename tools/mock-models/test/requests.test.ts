import { expect, test } from "vitest";
import { type ModelRequest, script } from "../src/index.ts";
import { DEADLINE_MS, mockFor, post, readerOf, readUntil, said } from "./lab.ts";

test("keeps every request in order, with its body and without its keys", async () => {
  const mock = await mockFor();
  const headers = {
    "x-api-key": "sk-secret-1",
    authorization: "Bearer secret-2",
    cookie: "secret-3",
    "x-app": "cli",
  };
  await said(post(mock, "one", {}, { headers }));
  await fetch(`${mock.url}/v1/models?limit=5`);
  expect(mock.requests).toMatchObject([
    {
      number: 1,
      method: "POST",
      path: "/v1/messages?beta=true",
      headers: { "x-api-key": "[hidden]", authorization: "[hidden]", cookie: "[hidden]", "x-app": "cli" },
      body: { model: "model-a", messages: [{ role: "user", content: "one" }] },
      rule: { kind: "no-script" },
      outcome: "answered",
    },
    { number: 2, method: "GET", path: "/v1/models?limit=5", body: undefined },
  ]);
  expect(JSON.stringify(mock.requests)).not.toContain("secret");
});

test("waits for a request that is to come, and finds one that is there", async () => {
  const mock = await mockFor();
  const second = mock.waitForRequest(({ number }) => number === 2, DEADLINE_MS);
  await post(mock, "one");
  await post(mock, "two");
  expect(await second).toBe(mock.requests[1]);
  expect(await mock.waitForRequest(({ number }) => number === 1, 0)).toBe(mock.requests[0]);
});

test("says what there was when the request does not come in time", async () => {
  const mock = await mockFor();
  await expect(mock.waitForRequest(() => true, 1)).rejects.toThrow(
    "did not come within 1 ms. There was none",
  );
  await said(post(mock, script(["x"])));
  await expect(mock.waitForRequest(() => false, 1)).rejects.toThrow(
    '1 POST /v1/messages?beta=true {"kind":"step","step":0,"attempt":0} answered',
  );
});

test("rejects with what a predicate throws", async () => {
  const mock = await mockFor();
  await post(mock, "one");
  const wait = mock.waitForRequest(() => {
    throw new RangeError("mine");
  }, DEADLINE_MS);
  await expect(wait).rejects.toThrow(RangeError);
});

test("tells that the client went away in the middle of a stream", async () => {
  const ended: ModelRequest[] = [];
  const mock = await mockFor({ onEnd: (request) => ended.push({ ...request }) });
  const client = new AbortController();
  const step = [{ text: "Before." }, { gate: "never" }];
  const reader = readerOf(await post(mock, script([step]), { stream: true }, { signal: client.signal }));
  await readUntil(reader, "Before.");
  client.abort();
  const gone = await mock.waitForRequest(({ outcome }) => outcome === "aborted", DEADLINE_MS);
  expect(gone.gate).toBeUndefined();
  expect(await said(post(mock, script(["Still here."])))).toBe("Still here.");
  expect(ended).toMatchObject([{ outcome: "aborted" }, { outcome: "answered" }]);
});
