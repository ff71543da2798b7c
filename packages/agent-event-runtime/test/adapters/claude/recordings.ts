import { casesOf } from "../../recordings.ts";

/** The committed recordings of claude. */
export const { caseNames, recording } = casesOf("claude");
