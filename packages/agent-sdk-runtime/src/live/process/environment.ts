import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Set by a CLI for what it starts (as seen in tools of 2.1.332): a CLI that finds them takes itself for a
 * part of another.
 */
const NESTING = [
  "AI_AGENT",
  "CLAUDECODE",
  "CLAUDE_CODE_CHILD_NOTES_DIR",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_EXECPATH",
  "CLAUDE_CODE_MESSAGING_SOCKET",
  "CLAUDE_CODE_MESSAGING_TOKEN",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SSE_PORT",
  "CLAUDE_EFFORT",
  "CLAUDE_PID",
];

/** The environment of the CLI: this process's but for marks of nesting, the caller's on top, the owner's mark last. */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>>,
  added: Readonly<Record<string, string | undefined>> | undefined,
  owner: string,
): Record<string, string> {
  const nested = Object.fromEntries(NESTING.map((name) => [name, undefined]));
  const merged = { ...own, ...nested, ...added, CLAXEDO_OWNER: owner };
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Where the CLI keeps its sessions and settings: what it finds in this process's environment, the caller's on top. */
export function configDirectory(added: Readonly<Record<string, string | undefined>> | undefined): string {
  const { CLAUDE_CONFIG_DIR, HOME } = { ...process.env, ...added };
  return CLAUDE_CONFIG_DIR ?? join(HOME ?? homedir(), ".claude");
}
