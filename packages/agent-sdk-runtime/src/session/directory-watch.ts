import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import { directoryIdentity } from "./directory-identity.ts";

// Looked at, not followed by fs.watch: of a directory that some process works in, the system tells the deletion only
// when that process ends.
const INTERVAL_MS = 2_000;

/** Watches that a session's directory stays the one in which a turn began. */
export class DirectoryWatch {
  readonly #path: string;
  readonly #onLost: (turnId: string, error: AgentRuntimeError) => void;
  #turnId: string | undefined;
  #identity: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  /** `onLost` is told, once for a turn, what there is to say of it. */
  constructor(path: string, onLost: (turnId: string, error: AgentRuntimeError) => void) {
    this.#path = path;
    this.#onLost = onLost;
  }

  /** The turn to watch for from now on; `undefined` for none. */
  watch(turnId: string | undefined): void {
    if (turnId === this.#turnId) return;
    clearInterval(this.#timer);
    this.#turnId = turnId;
    this.#identity = undefined;
    if (turnId === undefined) return;
    this.#timer = setInterval(() => void this.#look(turnId), INTERVAL_MS).unref();
    void this.#look(turnId);
  }

  /** A file system that does not answer is not asked again before it has, and nothing waits for it. */
  async #look(turnId: string): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      const identity = await directoryIdentity(this.#path);
      if (turnId !== this.#turnId) return;
      this.#identity ??= identity;
      if (identity !== this.#identity) throw replaced(this.#path);
    } catch (error) {
      // Any other error says nothing of the directory.
      if (turnId !== this.#turnId || !AgentRuntimeError.is(error)) return;
      clearInterval(this.#timer);
      this.#onLost(turnId, error);
    } finally {
      this.#looking = false;
    }
  }
}

function replaced(path: string): AgentRuntimeError {
  return new AgentRuntimeError(
    "directory-missing",
    `The session's directory ${path} is another one than when this turn began; send it again to have it done there.`,
  );
}
