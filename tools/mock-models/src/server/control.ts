import type { Gates } from "./gates.ts";
import type { RequestLog } from "./request-log.ts";

/** An answer in JSON. */
export interface ControlAnswer {
  readonly status: number;
  readonly value: unknown;
}

const PATH = /^\/__mock\/([^/]*)\/?(.*)$/su;

/** Steers the server from outside; `undefined` for a request that does not. */
export function control(
  method: string,
  pathname: string,
  { log, gates }: { readonly log: RequestLog; readonly gates: Gates },
): ControlAnswer | undefined {
  const [path, verb, argument = ""] = PATH.exec(pathname) ?? [];
  if (path === undefined) return undefined;
  switch (`${method} ${verb}`) {
    case "GET health":
      return { status: 200, value: { ok: true, requests: log.requests.length } };
    case "GET requests":
      return { status: 200, value: log.requests };
    case "POST release":
      return release(argument, gates);
    default:
      return { status: 404, value: { error: "There are GET requests, GET health and POST release/NAME." } };
  }
}

function release(argument: string, gates: Gates): ControlAnswer {
  try {
    const name = decodeURIComponent(argument);
    gates.release(name);
    return { status: 200, value: { released: name } };
  } catch {
    return { status: 400, value: { error: "The name of the gate is not URL-encoded." } };
  }
}
