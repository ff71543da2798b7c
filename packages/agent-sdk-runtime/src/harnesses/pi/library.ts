import type * as Pi from "@earendil-works/pi-coding-agent";
import type { OptionalLibrary } from "../../harness/optional-library.ts";

/** The library of pi, as far as it is typed. */
export type PiLibrary = typeof Pi;

/** A model of pi's catalogue. */
export type PiModel = NonNullable<ReturnType<Pi.ModelRuntime["getModel"]>>;

/** pi as an optional peer: an older Node cannot even load it. */
export const piLibrary: OptionalLibrary<PiLibrary> = {
  name: "@earendil-works/pi-coding-agent",
  minimum: "1.6.0",
  node: "22.19.0",
  load: () => import("@earendil-works/pi-coding-agent"),
};
