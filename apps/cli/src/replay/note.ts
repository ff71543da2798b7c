/** What a recorder's note tells about the process: it ended, cleanly or not, or another was started. */
export type NoteNews = { readonly news: "exit"; readonly clean: boolean } | { readonly news: "start" };

/**
 * Reads a recorder's note. Recorders write `{"exit": 0, "signal": null}`, `{"exit": {"code": 0}}`, either of
 * them as text, or a sentence with `exit code=0` or `exited code=0` in it; and `{"spawn": […]}`, `{"restart": …}`
 * or `--- new process`. Everything else is for people.
 */
export function readNote(line: unknown): NoteNews | undefined {
  const note = typeof line === "string" ? parsed(line) : line;
  if (typeof note === "string") return readSentence(note);
  if (typeof note !== "object" || note === null) return undefined;
  if (Object.hasOwn(note, "spawn") || Object.hasOwn(note, "restart")) return { news: "start" };
  if (!Object.hasOwn(note, "exit")) return undefined;
  const { exit } = note as { readonly exit: unknown };
  const code = typeof exit === "object" && exit !== null && "code" in exit ? exit.code : exit;
  return { news: "exit", clean: code === 0 };
}

function readSentence(text: string): NoteNews | undefined {
  const code = /\bexit(?:ed)? code=(\w+)/.exec(text)?.[1];
  if (code !== undefined) return { news: "exit", clean: code === "0" };
  return /^-* *new process$/.test(text) ? { news: "start" } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
