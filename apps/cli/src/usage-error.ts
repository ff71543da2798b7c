/** The command was called in a way that cannot work: the message says what to do instead. Exit code 2. */
export class UsageError extends Error {
  /** The command whose help tells more. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.name = "UsageError";
    this.command = command;
  }
}
