import { settlesWithin } from "../base/deadline.ts";
import { type ArchiveOptions, TranscriptArchive } from "./archive/archive.ts";
import type { ArchiveReport } from "./archive/archive-report.ts";
import type { LiveState } from "./live-state.ts";
import type { LiveSessionOptions } from "./options.ts";
import { configDirectory } from "./process/environment.ts";

/** For a pass that is told to stop: it finishes the piece of a file that it is at. */
const STOPS_MS = 250;

/** Keeps an archive up with a session, through all the names it goes by. Never rejects. */
export class TranscriptMirror {
  readonly #archive: TranscriptArchive;
  readonly #stop = new AbortController();
  /** Known before the CLI says it, which may be never. */
  readonly #named: string | undefined;

  constructor({ cwd, env, sessionId, resume, fork }: LiveSessionOptions, target: ArchiveOptions) {
    this.#named = sessionId ?? (fork === true ? undefined : resume);
    const place = { configDir: configDirectory(env), cwd };
    this.#archive = new TranscriptArchive(place, target, this.#stop.signal);
  }

  /** Copies what is new. The archive remembers the names of earlier passes. */
  pass({ sessionId }: LiveState): Promise<ArchiveReport> {
    return this.#archive.mirror([this.#named, sessionId].filter((id) => id !== undefined));
  }

  /** The last copy, for which there is so much time; what is not done by then is left. */
  async last(state: LiveState, limitMs: number): Promise<ArchiveReport> {
    const pass = this.pass(state);
    await settlesWithin(pass, limitMs);
    this.#stop.abort();
    if (await settlesWithin(pass, STOPS_MS)) return pass;
    const problem = `The last copy of the transcript was not made within ${limitMs} ms.`;
    return { files: 0, bytes: 0, problems: [problem] };
  }
}
