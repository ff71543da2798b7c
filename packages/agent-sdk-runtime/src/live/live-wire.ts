import type { NdjsonFault, NdjsonFrame } from "@claxedo/agent-event-runtime";
import { messageOf } from "../base/message-of.ts";
import { withDeadline } from "../base/deadline.ts";
import { Lane } from "../base/lane.ts";
import { AgentRuntimeError } from "../errors/agent-runtime-error.ts";
import { CLIError } from "./cli-error.ts";
import { encodeLine, type SentLine } from "./input.ts";
import type { Tap } from "./options.ts";
import type { ClaudeProcess } from "./process/claude-process.ts";

/** What a wire is made with. */
export interface LiveWireOptions {
  readonly process: ClaudeProcess;
  readonly tap?: Tap | undefined;
  /** For a line to be taken by the CLI. */
  readonly writeTimeoutMs: number;
  /** A line came, and the tap has seen it. */
  readonly onReceived: (frame: NdjsonFrame | NdjsonFault) => void;
  /** A line is about to be written, and the tap has seen it. */
  readonly onSent: (line: SentLine) => void;
  /** The talk cannot go on. */
  readonly onFault: (error: CLIError) => void;
  /** Why the session has ended, if it has, or does within that time. */
  readonly endError: (waitMs: number) => Promise<CLIError | undefined>;
}

/** The line between a session and its process: one reader, one writer, the tap before everything. */
export class LiveWire {
  readonly #options: LiveWireOptions;
  readonly #writes = new Lane();

  constructor(options: LiveWireOptions) {
    this.#options = options;
  }

  /** Reads until the process ends. Nothing more is read while the tap is at work. */
  async read(): Promise<void> {
    const { process, tap, onReceived } = this.#options;
    for await (const frame of process.lines()) {
      if (tap !== undefined) await this.#guarded(() => tap(frame));
      onReceived(frame);
    }
  }

  /**
   * Writes a line after all earlier ones: the tap first, then the state, then the pipe. Rejects when the
   * line is none that the CLI takes (before anything else), or could not be written.
   */
  async write(line: SentLine): Promise<void> {
    const text = encodeLine(line);
    const { tap, onSent } = this.#options;
    await this.#writes.run(async () => {
      if (tap !== undefined)
        await this.#guarded(() => tap({ dir: "sent", channel: "", payload: line, at: Date.now() }));
      onSent(line);
      await this.#put(text);
    });
  }

  async #put(text: string): Promise<void> {
    const { process, writeTimeoutMs, onFault, endError } = this.#options;
    try {
      await withDeadline(process.write(text), writeTimeoutMs, "Writing to Claude Code");
    } catch (cause) {
      if (AgentRuntimeError.is(cause)) throw notTaken(writeTimeoutMs);
      // The pipe breaks a moment before the end of the process is known: that says more.
      const known = await endError(1000);
      if (known !== undefined) throw known;
      const error = new CLIError(
        { kind: "protocol" },
        "Claude Code takes no more input although it has not ended; the session is closed.",
        { cause },
      );
      onFault(error);
      throw error;
    }
  }

  async #guarded(tap: () => void | Promise<void>): Promise<void> {
    try {
      await tap();
    } catch (cause) {
      const reason = messageOf(cause);
      const error = new CLIError({ kind: "protocol" }, `The tap of the session failed: ${reason}`, { cause });
      this.#options.onFault(error);
      throw error;
    }
  }
}

function notTaken(afterMs: number): CLIError {
  return new CLIError(
    { kind: "timeout", afterMs },
    `Claude Code has not taken its input for ${afterMs} ms; it will get the line if it goes on reading.`,
  );
}
