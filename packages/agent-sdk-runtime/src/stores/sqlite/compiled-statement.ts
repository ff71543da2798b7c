import type { Database } from "./driver.ts";
import type { Compilable } from "kysely";

/** What a parameter can be bound to. */
type Bindable = string | number | null;

/** Parameters by name. */
export type Bindings = Readonly<Record<string, Bindable>>;

/** A query compiled and prepared once. None leaves a cursor open: each call reads to the end. */
export interface Statement<Params extends Bindings, Row = unknown> {
  /** Executes it and answers the row id of the last inserted row, and how many rows were touched. */
  run(params: Params): { readonly id: number; readonly changes: number };
  get(params: Params): Row | undefined;
  all(params: Params): Row[];
}

/** Compiles a query whose values are taken from `param`, to be bound at each call. */
export type Prepare = <Params extends Bindings, Row = unknown>(
  build: (param: Params) => Compilable<Row>,
) => Statement<Params, Row>;

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Answers a placeholder for any name; kysely takes it for a value and hands it back in order. */
function placeholders<Params extends Bindings>(): Params {
  return new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Params;
}

/** Prepares statements on a connection. */
export function preparer(sqlite: Database): Prepare {
  return <Params extends Bindings, Row = unknown>(
    build: (param: Params) => Compilable<Row>,
  ): Statement<Params, Row> => {
    const query = build(placeholders<Params>()).compile();
    const prepared = sqlite.prepare<unknown[], Row>(query.sql);
    const bind = (params: Params): unknown[] =>
      query.parameters.map((value) => (value instanceof Placeholder ? params[value.name] : value));
    return {
      run: (params) => {
        const { lastInsertRowid, changes } = prepared.run(...bind(params));
        return { id: Number(lastInsertRowid), changes };
      },
      get: (params) => prepared.get(...bind(params)),
      all: (params) => prepared.all(...bind(params)),
    };
  };
}
