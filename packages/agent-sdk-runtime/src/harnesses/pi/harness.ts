import { piAdapter } from "@claxedo/agent-event-runtime";
import { messageOf } from "../../base/message-of.ts";
import { AgentRuntimeError } from "../../errors/agent-runtime-error.ts";
import type { ConnectRequest, Harness } from "../../harness/harness.ts";
import type { HarnessConnection } from "../../harness/harness-connection.ts";
import { libraryHealth, type LibraryHost, loadLibrary, thisProcess } from "../../harness/optional-library.ts";
import { checkDirectory } from "../../harness/work-directory.ts";
import { PiConnection } from "./connection.ts";
import { readHistory } from "./history.ts";
import { type PiLibrary, piLibrary } from "./library.ts";
import type { PiOptions } from "./options.ts";
import { type ChildMark, openSession } from "./session.ts";

/**
 * pi, in this process: needs the optional package `@earendil-works/pi-coding-agent` (^1.6.0) and Node 22.19.
 * Any model of the user's own pi configuration works by its name; `offline/scripted` needs neither key nor
 * network. It acts without asking.
 */
export function pi(options: PiOptions = {}): Harness {
  return piOn(thisProcess, options);
}

/** pi as loaded by a given host. */
export function piOn(host: LibraryHost, options: PiOptions): Harness {
  return {
    id: "pi",
    access: ["native"],
    capabilities: {
      permissions: false,
      questions: false,
      offer: false,
      configure: false,
      tasks: false,
      steer: false,
      resume: true,
      history: true,
    },
    adapter: piAdapter,
    health: async () => libraryHealth(piLibrary, host),
    connect: async (request) => connect(await loadLibrary(piLibrary, host), options, request),
    history: readHistory,
  };
}

async function connect(
  library: PiLibrary,
  options: PiOptions,
  request: ConnectRequest,
): Promise<HarnessConnection> {
  await checkDirectory(request.directory);
  const mark: ChildMark = { owner: request.owner, turn: undefined };
  const connection = new PiConnection(await open(library, options, request, mark), mark);
  if (!request.signal.aborted) return connection;
  await connection.close(0);
  throw new AgentRuntimeError("closed", "pi started too late: nobody waits for it any more.");
}

async function open(library: PiLibrary, options: PiOptions, request: ConnectRequest, mark: ChildMark) {
  try {
    return await openSession(library, options, request, mark);
  } catch (cause) {
    if (AgentRuntimeError.is(cause)) throw cause;
    const reason = messageOf(cause);
    throw new AgentRuntimeError("harness-failed", `pi did not start: ${reason}`, { cause });
  }
}
