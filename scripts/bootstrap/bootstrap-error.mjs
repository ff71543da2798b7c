// The one error the bootstrap throws on purpose.

/** A reason to stop that the reader can act on: its message says what went wrong and what to do. */
export class BootstrapError extends Error {
  /**
   * @param {string} message
   * @param {number} [exitCode]
   */
  constructor(message, exitCode = 1) {
    super(message);
    this.name = "BootstrapError";
    this.exitCode = exitCode;
  }
}
