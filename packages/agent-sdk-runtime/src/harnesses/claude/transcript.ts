import { statSync } from "node:fs";
import { join } from "node:path";
import { encodeProjectFolder, findProjectFolder, realPathToBe } from "../../live/archive/project-folder.ts";

/** By what a transcript is found: the CLI's folder, and where the session works. */
export interface TranscriptPlace {
  readonly configDir: string;
  readonly cwd: string;
}

/** The file of a session's transcript; `undefined` when there is none. */
export async function findTranscript(
  { configDir, cwd }: TranscriptPlace,
  sessionId: string,
): Promise<string | undefined> {
  const folder = await findProjectFolder(await projectsOf(configDir), cwd, sessionId);
  return folder === undefined ? undefined : fileIn(folder, sessionId);
}

/** The transcripts that a connection writes, through all the names its session goes by. */
export class Transcripts {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Those of a new session, or of one that is resumed: that goes on in the folder where it was begun. */
  static async of({ configDir, cwd }: TranscriptPlace, resumed?: string): Promise<Transcripts> {
    const projects = await projectsOf(configDir);
    const found = resumed === undefined ? undefined : await findProjectFolder(projects, cwd, resumed);
    return new Transcripts(found ?? join(projects, encodeProjectFolder(await realPathToBe(cwd))));
  }

  /** How long the transcript of a session is now, in bytes; 0 while there is none. */
  size(sessionId: string): number {
    return statSync(fileIn(this.#folder, sessionId), { throwIfNoEntry: false })?.size ?? 0;
  }
}

function projectsOf(configDir: string): Promise<string> {
  return realPathToBe(join(configDir, "projects"));
}

function fileIn(folder: string, sessionId: string): string {
  return join(folder, `${sessionId}.jsonl`);
}
