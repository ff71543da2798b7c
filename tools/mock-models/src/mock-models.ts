import { once } from "node:events";
import { parseScripts, type Scripts } from "./script/parse.ts";
import { Attempts } from "./server/attempts.ts";
import { Gates } from "./server/gates.ts";
import { modelServer } from "./server/model-server.ts";
import { type ModelRequest, RequestLog } from "./server/request-log.ts";

/** How a model server is started. */
export interface MockModelsOptions {
  /** A free one by default. */
  readonly port?: number;
  /** What a directive can name; see {@link scriptNamed}. */
  readonly scripts?: Scripts;
  /** Called with each request once its reply has ended. */
  readonly onEnd?: (request: ModelRequest) => void;
}

/** A running model server. Whoever started it closes it. */
export interface MockModels extends AsyncDisposable {
  /** The base URL, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** Every request so far, in the order in which they were complete. Changes as things go on. */
  readonly requests: readonly ModelRequest[];
  /** Lets pass whoever waits at this gate, now and later. */
  release(gate: string): void;
  /**
   * The first request, past or to come, that the predicate accepts; all are looked at whenever one changes.
   * Rejects after `deadlineMs`, and when the server is closed.
   */
  waitForRequest(predicate: (request: ModelRequest) => boolean, deadlineMs: number): Promise<ModelRequest>;
  /** Cuts every reply, ends every socket and every wait. Resolves once the port is free. */
  close(): Promise<void>;
}

/**
 * Starts a stand-in for the Anthropic Messages API on 127.0.0.1.
 *
 * A reply depends on the request alone: on the last directive in its user texts (see {@link script}), and on how many
 * assistant messages follow it. So it is the same for a conversation that was resumed or forked. One thing is
 * counted: how often a session asked for a step, which is what `fail` is for.
 *
 * @throws {TypeError} when a script is none. Rejects when the port is taken.
 */
export async function startMockModels(options: MockModelsOptions = {}): Promise<MockModels> {
  const { port = 0, onEnd = () => undefined } = options;
  const scripts = parseScripts(options.scripts ?? {});
  const gates = new Gates();
  const log = new RequestLog();
  const { server, idle } = modelServer({ scripts, gates, log, onEnd, attempts: new Attempts() });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");

  const closed = once(server, "close");
  const close = async (): Promise<void> => {
    log.close();
    server.close();
    server.closeAllConnections();
    await closed;
    await idle();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests: log.requests,
    release: (gate) => gates.release(gate),
    waitForRequest: (predicate, deadlineMs) => log.waitFor(predicate, deadlineMs),
    close,
    [Symbol.asyncDispose]: close,
  };
}
