import { casesOf } from "../recordings.ts";

/** The committed recordings of pi. 0.73 pronounces its verdict by silence, so its driver reports that. */
export const { caseNames, recording } = casesOf("pi", (version) =>
  version.startsWith("1.") ? undefined : 700,
);
