import type { IncomingMessage } from "node:http";
import { text as textOf } from "node:stream/consumers";

/** A request as it came, complete. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case; secrets are {@link HIDDEN}. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text parsed as JSON; itself if it is none, `undefined` if it is empty. */
  readonly body: unknown;
}

/** What stands in place of a secret. */
const HIDDEN = "[hidden]";

const SECRET = /authorization|cookie|key|secret|token/u;

/** Reads a request to its end; `undefined` when the client went away before. */
export async function receive(request: IncomingMessage): Promise<Received | undefined> {
  const { method = "", url = "" } = request;
  try {
    const text = await textOf(request);
    return { method, path: url, headers: shown(request.headers), text, body: parsed(text) };
  } catch (error) {
    if (request.complete) throw error;
    return undefined;
  }
}

/** The path without its query. */
export function pathname(path: string): string {
  return path.split("?", 1).join();
}

function shown(headers: IncomingMessage["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? HIDDEN : String(value)]),
  );
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
