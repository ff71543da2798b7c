/**
 * How long nothing passes, in milliseconds, before the driver of a dialect feeds a `quiet` frame; a dialect
 * that is not here has a word for everything. Pi 0.73 has none for being done: its `agent_end` stands when
 * nothing follows. The same silence says nothing of pi 1.x, whose word is `agent_settled`.
 */
export const silences: ReadonlyMap<string, number> = new Map([["pi", 700]]);
