import type { Harness } from "../harness/harness.ts";

/** A harness with what it needs to work, for one case. */
export interface HarnessStage {
  readonly harness: Harness;
  /** A workspace of its own. */
  readonly directory: string;
  /** A model to ask for; default: the harness's own choice. */
  readonly model?: string;
  /** Takes away what it left, once every connection is closed. */
  remove?(): void | Promise<void>;
}

/** What makes this harness do something. Cases for what has no prompt are left out. */
export interface HarnessPrompts {
  /** Answered with some text in a run that completes. */
  readonly answer: string;
  /** Keeps it at work for a minute at least, unless it is stopped. */
  readonly work: string;
  /** Answered with text that comes in several pieces. */
  readonly stream?: string;
  /** Ends in a run that fails. */
  readonly fail?: string;
  /** Makes it write something that is no frame of its dialect, in or before a run that completes. */
  readonly garbage?: string;
  /** Makes its program end in the middle of a run. */
  readonly death?: string;
  /** Makes it ask for permission once, in a run that completes when that is given. */
  readonly ask?: string;
  /** Makes it ask the user one thing or more, with options, in a run that completes when it is answered. */
  readonly question?: string;
  /** Keeps it at work for some seconds, or until there is more input; the run then completes. */
  readonly brief?: string;
  /** Leaves work in the background, for a minute at least, behind a run that completes. */
  readonly background?: string;
  /** Leaves work in the background that ends soon after its run, and is told of in a run of its own. */
  readonly report?: string;
}

/** What of the contract a harness does; cases for the rest are left out. */
export interface HarnessSupports {
  /** As in its capabilities: goes on from a binding. */
  readonly resume?: boolean;
  /** As in its capabilities: tells its own record. */
  readonly history?: boolean;
  /** Knows which models there are, and refuses others. */
  readonly models?: boolean;
  /** As in its capabilities; the cases need the prompt `ask`. */
  readonly permissions?: boolean;
  /** As in its capabilities; the cases need the prompt `question`. */
  readonly questions?: boolean;
  /** As in its capabilities; some cases need the prompt `brief`. */
  readonly steer?: boolean;
  /** As in its capabilities: tells at least two modes that it can be put in. */
  readonly offer?: boolean;
  /** As in its capabilities; the cases need `offer`. */
  readonly configure?: boolean;
  /** As in its capabilities; the cases need the prompt `background`. */
  readonly tasks?: boolean;
}

/** A harness with what is needed to put it to the test. */
export interface HarnessSubject {
  /** Makes the harness and a workspace; called for every case. */
  readonly stage: () => HarnessStage | Promise<HarnessStage>;
  readonly prompts: HarnessPrompts;
  readonly supports: HarnessSupports;
  /** How long each wait may take, in milliseconds; default 30,000. */
  readonly patienceMs?: number;
}
