import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { isGone } from "../../base/is-gone.ts";
import { lookAt } from "./regular-file.ts";

/** Claude Code 2.1.332 writes `agent-….meta.json` under such a name, then renames it. */
const HALF_WRITTEN = /\.tmp\.[0-9a-f.]+$/;

/** Something in the tree of a transcript, or why a folder of it cannot be read. */
export type TreeEntry =
  | {
      /** Below the project folder. */
      readonly path: string;
    }
  | { readonly problem: Error };

/**
 * The main file of a session, then whatever the folder beside it holds, in the order of the file system:
 * transcripts of subagents, their metadata, large tool results, and what later versions may add. Links are
 * listed, as what they are, and never followed; what the CLI is about to rename is left out.
 */
export async function* listTranscript(project: string, sessionId: string): AsyncGenerator<TreeEntry> {
  yield { path: `${sessionId}.jsonl` };
  const beside = await lookAt(join(project, sessionId));
  if (beside?.isDirectory() === true) yield* listFolder(project, sessionId);
  else if (beside !== undefined) yield { path: sessionId };
}

async function* listFolder(project: string, folder: string): AsyncGenerator<TreeEntry> {
  try {
    for await (const entry of await opendir(join(project, folder))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) yield* listFolder(project, path);
      else if (!HALF_WRITTEN.test(path)) yield { path };
    }
  } catch (error) {
    if (!isGone(error)) yield { problem: error instanceof Error ? error : new Error(String(error)) };
  }
}
