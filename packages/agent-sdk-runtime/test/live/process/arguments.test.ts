import { describe, expect, it } from "vitest";
import { liveArguments } from "../../../src/live/process/arguments.ts";
import type { LiveSessionOptions } from "../../../src/live/options.ts";

const ID = "0f0aa5c5-9c4c-4a39-8a58-0cb67881367b";

function argumentsOf(options: Partial<LiveSessionOptions>): readonly string[] {
  return liveArguments({ cwd: "/w", ...options });
}

function expectRefused(options: Partial<LiveSessionOptions>): void {
  expect(() => argumentsOf(options)).toThrow(expect.objectContaining({ code: "invalid-input" }));
}

describe("the command line", () => {
  it("speaks stream-json both ways, and names nothing more by itself", () => {
    const talk = ["--input-format=stream-json", "--output-format=stream-json", "--verbose"];
    expect(argumentsOf({})).toEqual(talk);
  });

  it("has a place to ask only where somebody decides", () => {
    expect(argumentsOf({ canUseTool: "manual" })).toContain("--permission-prompt-tool=stdio");
    expect(argumentsOf({ canUseTool: () => ({ behavior: "allow" }) })).toContain(
      "--permission-prompt-tool=stdio",
    );
  });

  it("holds what the options say", () => {
    const given = argumentsOf({
      model: "m",
      permissionMode: "plan",
      partialMessages: true,
      extraArgs: ["--bare"],
    });
    const expected = ["--include-partial-messages", "--model=m", "--permission-mode=plan", "--bare"];
    expect(given).toEqual(expect.arrayContaining(expected));
    expect(given.at(-1)).toBe("--bare");
    expect(argumentsOf({ systemPrompt: "x" })).toContain("--system-prompt=x");
    expect(argumentsOf({ systemPrompt: { append: "x" } })).toContain("--append-system-prompt=x");
  });

  it("names a file of servers, of which it shows nothing", () => {
    expect(liveArguments({ cwd: "/" }, "/tmp/x/mcp.json").at(-1)).toBe("--mcp-config=/tmp/x/mcp.json");
    const servers = { theirs: { command: "x", env: { KEY: "secret" } } };
    expect(argumentsOf({ mcpServers: servers }).join(" ")).not.toContain("secret");
  });

  it("resumes, forks and names sessions", () => {
    expect(argumentsOf({ resume: ID })).toContain(`--resume=${ID}`);
    expect(argumentsOf({ sessionId: ID })).toContain(`--session-id=${ID}`);
    const forked = argumentsOf({ resume: ID, fork: true, sessionId: ID });
    expect(forked).toEqual(
      expect.arrayContaining([`--resume=${ID}`, `--session-id=${ID}`, "--fork-session"]),
    );
  });

  it("B031 never holds both of the flags that name a session", () => {
    expectRefused({ resume: ID, sessionId: ID });
    expectRefused({ fork: true });
    expectRefused({ resume: ID, extraArgs: ["--session-id", ID] });
    expectRefused({ sessionId: ID, extraArgs: [`--resume=${ID}`] });
    for (const flag of ["--continue", "-c", "-r", "--fork-session"]) expectRefused({ extraArgs: [flag] });
  });

  it("B141 takes no value for a flag", () => {
    expect(argumentsOf({ model: "--add-dir=/" })).toContain("--model=--add-dir=/");
    expect(argumentsOf({ permissionMode: "-p" })).toContain("--permission-mode=-p");
    expect(argumentsOf({ systemPrompt: "--bare" })).toContain("--system-prompt=--bare");
    for (const id of ["--fork", "-x", "", `${ID} `, `${ID}\n--bare`]) {
      expectRefused({ resume: id });
      expectRefused({ sessionId: id });
    }
  });
});
