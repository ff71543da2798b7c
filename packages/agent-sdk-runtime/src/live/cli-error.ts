/** What went wrong with the CLI: a closed union. */
export type CLIFault =
  /** There is no program: where it was looked for. */
  | { readonly kind: "not-found"; readonly looked: readonly string[] }
  /** It could not be started. */
  | { readonly kind: "spawn-failed" }
  /** It ended by itself. `stderrTail` is the end of what it wrote there, secrets taken out. */
  | {
      readonly kind: "exited";
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly stderrTail: string;
    }
  /** It, or the host's part in the talk, broke the protocol: nothing can be relied on any more. */
  | { readonly kind: "protocol" }
  /** It did not answer in time. */
  | { readonly kind: "timeout"; readonly afterMs: number }
  /** The CLI said no to a request; it lives on. `code` is its own word for why, where it has one. */
  | { readonly kind: "refused"; readonly request: string; readonly code?: string }
  /** The session was closed by the host. */
  | { readonly kind: "closed" };

const brand = Symbol.for("@claxedo/cli-error");

/** The one error of a live session. `fault` says what happened, the message also what to do. */
export class CLIError extends Error {
  readonly fault: CLIFault;

  constructor(fault: CLIFault, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "CLIError";
    this.fault = fault;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Whether a value is a CLIError, also one of another copy of this package. */
  static is(value: unknown): value is CLIError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
