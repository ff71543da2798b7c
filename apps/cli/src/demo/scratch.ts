import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A folder of its own for everything the demonstration touches. */
export interface Scratch {
  readonly root: string;
  readonly workspace: string;
  readonly store: string;
  /** For host processes: nothing of the user's configuration, no other store. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the workspace is a git repository, which it is where there is git. */
  readonly git: boolean;
}

/** The file of the workspace that the agent changes. */
export const recipe = "recipe.txt";

const files: Readonly<Record<string, string>> = {
  "README.md": "# Kitchen\n\nOne recipe, kept under version control.\n",
  [recipe]: "flour: 300 g\nwater: 150 ml\nsalt: a pinch\n",
};

/** Makes the folder, and a workspace in it. Remove it with `removeScratch`. */
export async function makeScratch(env: Scratch["env"]): Promise<Scratch> {
  const root = await mkdtemp(join(tmpdir(), "claxedo-demo-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, "workspace");
  const home = join(root, "home");
  const own = hostEnvironment(env, home);
  for (const folder of [workspace, home]) await mkdir(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(workspace, name), text);
  const git = await makeRepository(workspace, own);
  return { root, workspace, store: join(root, "state", "claxedo.db"), env: own, git };
}

/** Removes it with all that is in it. */
export async function removeScratch({ root }: Scratch): Promise<void> {
  await rm(root, { recursive: true, force: true, maxRetries: 3 });
}

function hostEnvironment(env: Scratch["env"], home: string): Scratch["env"] {
  const { CLAXEDO_STORE: _, CLAXEDO_OWNER: __, CLAXEDO_TURN: ___, ...rest } = env;
  return {
    ...rest,
    HOME: home,
    XDG_STATE_HOME: join(home, "state"),
    XDG_CONFIG_HOME: join(home, "config"),
    PI_CODING_AGENT_DIR: join(home, "pi"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
  };
}

async function makeRepository(workspace: string, env: Scratch["env"]): Promise<boolean> {
  const identity = ["-c", "user.name=demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"];
  const commands = [
    ["init", "--quiet"],
    ["add", "--all"],
    [...identity, "commit", "--quiet", "--message", "Write the recipe down"],
  ];
  try {
    for (const args of commands)
      await promisify(execFile)("git", args, { cwd: workspace, env, timeout: 10_000 });
    return true;
  } catch {
    // The demonstration does without; its workspace is a plain folder then.
    return false;
  }
}
