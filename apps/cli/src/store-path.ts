import { dirname, isAbsolute, join, resolve } from "node:path";

/** Where things lie, as the process was told. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home directory. */
  readonly home: string;
  /** The current directory. */
  readonly cwd: string;
}

/** The database: as named on the command line, else by the environment, else below the user's home. */
export function storePath(named: string | undefined, { env, home, cwd }: Surroundings): string {
  const chosen = named ?? env["CLAXEDO_STORE"];
  if (chosen !== undefined && chosen !== "") return resolve(cwd, chosen);
  const state = env["XDG_STATE_HOME"];
  // A relative one is to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
  const folder = state !== undefined && isAbsolute(state) ? state : join(home, ".local", "state");
  return join(folder, "claxedo", "claxedo.db");
}

/** Where pi keeps its own records of the sessions in that database. */
export function piSessionsFolder(store: string): string {
  return join(dirname(store), "pi-sessions");
}
