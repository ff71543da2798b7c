import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Act } from "../reply/act.ts";
import { type AnswerParts, answerOf } from "./answer.ts";
import { control } from "./control.ts";
import type { Gates } from "./gates.ts";
import { play } from "./play.ts";
import { pathname, receive } from "./received.ts";
import type { LoggedRequest, ModelRequest, RequestLog } from "./request-log.ts";

/** What the server works with. */
export interface ServerParts extends AnswerParts {
  readonly gates: Gates;
  readonly log: RequestLog;
  /** Gets each request once its reply has ended. */
  readonly onEnd: (request: ModelRequest) => void;
}

/** An HTTP server, not yet listening, and the requests that it works on. */
export interface ModelServer {
  readonly server: Server;
  /** Resolves once nothing is worked on. */
  readonly idle: () => Promise<void>;
}

/** Makes the server. */
export function modelServer(parts: ServerParts): ModelServer {
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const handled = handle(request, response, parts)
      .catch((error: unknown) => fail(response, error))
      .finally(() => running.delete(handled));
    running.add(handled);
  });
  // Agents keep connections between calls. One that ended just when it is used again would look like a failure.
  server.keepAliveTimeout = 600_000;
  return { server, idle: async () => void (await Promise.allSettled(running)) };
}

async function handle(request: IncomingMessage, response: ServerResponse, parts: ServerParts): Promise<void> {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  const received = await receive(request);
  if (received === undefined) return;
  const controlled = control(received.method, pathname(received.path), parts);
  if (controlled !== undefined) return sendJson(response, controlled.status, controlled.value);
  const requestId = `req_mock_${parts.log.requests.length + 1}`;
  const { rule, acts } = answerOf(received, requestId, parts);
  const logged = parts.log.add(received, rule);
  logged.change({ outcome: await outcomeOf(acts, response, closed.signal, logged, parts) });
  parts.onEnd(logged.request);
}

async function outcomeOf(
  acts: Iterable<Act>,
  response: ServerResponse,
  closed: AbortSignal,
  logged: LoggedRequest,
  { gates, log }: ServerParts,
): Promise<ModelRequest["outcome"]> {
  const passGate = async (name: string): Promise<void> => {
    if (gates.isReleased(name)) return;
    logged.change({ gate: name });
    await gates.pass(name, closed).finally(() => logged.change({ gate: undefined }));
  };
  try {
    return await play(acts, { response, closed, passGate });
  } catch (error) {
    if (!closed.aborted) throw error;
    return log.isClosed ? "cut" : "aborted";
  }
}

/** A failure of our own: the client is told as far as it still can be, and the process hears of it. */
function fail(response: ServerResponse, error: unknown): never {
  if (response.headersSent) response.destroy();
  else sendJson(response, 500, { type: "error", error: { type: "api_error", message: String(error) } });
  throw error;
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
