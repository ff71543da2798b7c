/** A signal ended the command before it was done, and there is no turn to tell it. Exit code 3. */
export class Cancelled extends Error {
  constructor(message = "Cancelled before the turn began; nothing was run.", options?: ErrorOptions) {
    super(message, options);
    this.name = "Cancelled";
  }
}
