import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { redacted, secretsOf } from "../../../src/live/process/redacted.ts";
import { StderrTail } from "../../../src/live/process/stderr-tail.ts";

describe("a text for others", () => {
  it.each([
    ["key sk-ant-api03-AbC_123-xyz here", "key [redacted] here"],
    ["Authorization: Bearer abc.def-123", "Authorization: [redacted]"],
    ["ANTHROPIC_API_KEY=hunter22", "ANTHROPIC_API_KEY=[redacted]"],
    ['{"auth_token": "hunter22"}', '{"auth_token": "[redacted]"}'],
    ["password: hunter22, user: me", "password: [redacted], user: me"],
    ["https://me:hunter22@host/path", "https://me:[redacted]@host/path"],
    ["The tokens were 17, and the monkey is at http://host:80/x", undefined],
  ])("loses the secret of %s", (text, expected) => {
    expect(redacted(text, [])).toBe(expected ?? text);
  });

  it("loses the values of variables that are secrets by their name", () => {
    const secrets = secretsOf({
      MY_TOKEN: "plain-looking",
      SHORT_KEY: "x",
      PATH: "/usr/bin:/bin",
      DB_PASSWORD: "correct horse",
    });
    expect(redacted("got plain-looking and correct horse, x on /usr/bin:/bin", secrets)).toBe(
      "got [redacted] and [redacted], x on /usr/bin:/bin",
    );
  });

  it.each(["token-", "a-", "password ", "://x:", "Bearer ", "api_key_", "=", "\n"])(
    "takes no longer for many of %j",
    (piece) => {
      const text = piece.repeat(Math.ceil(8192 / piece.length));
      const began = process.cpuUsage().user;
      redacted(text, []);
      expect((process.cpuUsage().user - began) / 1000).toBeLessThan(500);
    },
  );
});

describe("the end of stderr", () => {
  async function tailOf(chunks: readonly string[]): Promise<string> {
    const stream = new PassThrough();
    const tail = new StderrTail(stream, []);
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    await tail.ended;
    return tail.text;
  }

  it("is what came last", async () => {
    const text = await tailOf(Array.from({ length: 5000 }, (_, n) => `line ${n}\n`));
    expect(text.endsWith("line 4998\nline 4999")).toBe(true);
    expect(text.length).toBeLessThanOrEqual(8192);
  });

  it("does not begin with the end of a secret", async () => {
    const secret = `sk-${"s".repeat(3000)}`;
    expect(await tailOf([`${secret}\n`, "x\n".repeat(3000)])).not.toContain("ss");
    expect(await tailOf([`${secret}\n`, "x\n".repeat(100)])).toContain("[redacted]");
  });
});
