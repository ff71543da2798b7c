import type { AgentRuntimeEvent } from "../event/agent-runtime-event.ts";
import type { Projection } from "../projection/projection.ts";
import type { Effort } from "./conformance-case.ts";

/** A projection with what is needed to put it to the test. */
export interface ProjectionSubject {
  /** Makes the projection; called for every case. */
  readonly projection: () => Projection;
  /**
   * Histories to project, each numbered from 1, and whole: at its end nothing is open. A short one with
   * every type of event is always among them.
   */
  readonly histories?: readonly (readonly AgentRuntimeEvent[])[];
  /** Parts of the contract that not every view has; cases for the others are left out. */
  readonly supports?: ProjectionSupports;
  readonly effort?: Effort;
}

/** The optional parts of a view. */
export interface ProjectionSupports {
  /** Its output is rows to be written under their `rowId` and listed by `ordinal`, as a store keeps them. */
  readonly rows?: boolean;
}

/** A projection with its histories, for one case. */
export interface ProjectionTrial {
  readonly projection: Projection;
  readonly histories: readonly (readonly AgentRuntimeEvent[])[];
  readonly effort?: Effort;
}

/** One law, put to the test on a trial. */
export interface ProjectionLaw {
  readonly id: string;
  readonly title: string;
  readonly check: (trial: ProjectionTrial) => void;
}
