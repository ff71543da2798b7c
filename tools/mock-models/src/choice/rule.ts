import type { AuxiliaryCall } from "./auxiliary.ts";

/** Why a request was answered as it was. */
export type RequestRule =
  | {
      /** A step of a script. */
      readonly kind: "step";
      /** The script's name, if it has one. */
      readonly script?: string;
      /** Counted from 0. */
      readonly step: number;
      /** How often this step had been asked for before. */
      readonly attempt: number;
    }
  /** The conversation has a script and went on after its last step. */
  | { readonly kind: "past-last-step"; readonly step: number }
  /** There is no directive. */
  | { readonly kind: "no-script" }
  | { readonly kind: "auxiliary"; readonly call: AuxiliaryCall }
  /** Something is wrong with the request or its directive: answered with status 400, or 404 for another path. */
  | { readonly kind: "refused"; readonly problem: string }
  /** Token counts or the list of models. */
  | { readonly kind: "endpoint" };
