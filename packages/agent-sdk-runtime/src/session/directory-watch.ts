import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import { type DirectoryLook, directoryMissing } from "./held-directory.ts";

// Looked at, not followed by fs.watch: of a directory that some process works in, the system tells the deletion only
// when that process ends.
const INTERVAL_MS = 2_000;

/** What a watch is made with. */
export interface DirectoryWatchOptions {
  readonly path: string;
  /** Looks at the directory that the harness works in. */
  readonly look: () => Promise<DirectoryLook>;
  /** Told, once for a turn, what there is to say of it. */
  readonly onLost: (turnId: string, error: AgentRuntimeError) => void;
}

/** Watches that a session's directory stays the one in which its harness works. */
export class DirectoryWatch {
  readonly #options: DirectoryWatchOptions;
  #turnId: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(options: DirectoryWatchOptions) {
    this.#options = options;
  }

  /** The turn to watch for from now on; `undefined` for none. */
  watch(turnId: string | undefined): void {
    if (turnId === this.#turnId) return;
    clearInterval(this.#timer);
    this.#turnId = turnId;
    if (turnId !== undefined) this.#timer = setInterval(() => void this.#look(turnId), INTERVAL_MS).unref();
  }

  /** A file system that does not answer is not asked again before it has, and nothing waits for it. */
  async #look(turnId: string): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    // An error says nothing of the directory.
    const found = await this.#options.look().catch(() => "same" as const);
    this.#looking = false;
    if (found === "same" || turnId !== this.#turnId) return;
    clearInterval(this.#timer);
    const { path, onLost } = this.#options;
    onLost(turnId, found === "gone" ? directoryMissing(path) : replaced(path));
  }
}

function replaced(path: string): AgentRuntimeError {
  return new AgentRuntimeError(
    "directory-missing",
    `The session's directory ${path} is another one than when this turn began; send it again to have it done there.`,
  );
}
