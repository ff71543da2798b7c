import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { childEnvironment, configDirectory } from "../../../src/live/process/environment.ts";

describe("the environment of the CLI", () => {
  it("is this process's, the caller's on top, the owner's mark last", () => {
    const own = { PATH: "/bin", HOME: "/h", NONE: undefined };
    const given = childEnvironment(own, { HOME: "/other", EXTRA: "x", CLAXEDO_OWNER: "me" }, "owner");
    expect(given).toEqual({ PATH: "/bin", HOME: "/other", EXTRA: "x", CLAXEDO_OWNER: "owner" });
  });

  it("loses what the caller takes out", () => {
    expect(childEnvironment({ A: "1", B: "2" }, { A: undefined }, "o")).toEqual({
      B: "2",
      CLAXEDO_OWNER: "o",
    });
  });

  it("carries no mark of a CLI that this process runs in", () => {
    // The variables that a tool of Claude Code 2.1.332 finds beside those of its user.
    const nested = {
      AI_AGENT: "claude-code_2-1-332_agent",
      CLAUDECODE: "1",
      CLAUDE_CODE_CHILD_NOTES_DIR: "/notes",
      CLAUDE_CODE_CHILD_SESSION: "1",
      CLAUDE_CODE_ENTRYPOINT: "sdk-cli",
      CLAUDE_CODE_EXECPATH: "/claude",
      CLAUDE_CODE_MESSAGING_SOCKET: "/socket",
      CLAUDE_CODE_MESSAGING_TOKEN: "t",
      CLAUDE_CODE_SESSION_ATTENDED: "0",
      CLAUDE_CODE_SESSION_ID: "id",
      CLAUDE_EFFORT: "medium",
      CLAUDE_PID: "1",
    };
    const users = { CLAUDE_CONFIG_DIR: "/c", CLAUDE_CODE_MAX_RETRIES: "2", CLAUDE_CODE_USE_BEDROCK: "1" };
    expect(childEnvironment({ ...nested, ...users }, undefined, "o")).toEqual({
      ...users,
      CLAXEDO_OWNER: "o",
    });
  });

  it("has such a mark where the caller sets it", () => {
    const added = { CLAUDE_CODE_ENTRYPOINT: "mine" };
    expect(childEnvironment({ CLAUDE_CODE_ENTRYPOINT: "cli" }, added, "o")).toMatchObject(added);
  });

  it("tells where the CLI keeps its sessions", () => {
    expect(configDirectory({ CLAUDE_CONFIG_DIR: "/c" })).toBe("/c");
    expect(configDirectory({ CLAUDE_CONFIG_DIR: undefined, HOME: "/h" })).toBe("/h/.claude");
    expect(configDirectory({ CLAUDE_CONFIG_DIR: undefined, HOME: undefined })).toBe(`${homedir()}/.claude`);
  });
});
