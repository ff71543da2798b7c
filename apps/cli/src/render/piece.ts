/** Something to write: what the agent says and does goes out, what is said about it goes beside it. */
export interface Piece {
  readonly to: "out" | "err";
  readonly text: string;
}
