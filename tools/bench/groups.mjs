// The groups of rows by name, in the order of the table.

/** @typedef {(settings: import("./settings.mjs").Settings) => Promise<readonly import("./row.mjs").Row[]>} Group */

/** Loaded when it is run, so that one group does not pay for another. @type {ReadonlyMap<string, () => Promise<Group>>} */
export const groups = new Map([
  ["translation", async () => (await import("./groups/translation.mjs")).translationRows],
  ["projection", async () => (await import("./groups/projection.mjs")).projectionRows],
  ["append", async () => (await import("./groups/append.mjs")).appendRows],
  ["latency", async () => (await import("./groups/latency.mjs")).latencyRows],
  ["live", async () => (await import("./groups/live.mjs")).liveRows],
  ["subscribe", async () => (await import("./groups/subscribe.mjs")).subscribeRows],
  ["open-session", async () => (await import("./groups/open-session.mjs")).openSessionRows],
  ["start-runtime", async () => (await import("./groups/start-runtime.mjs")).startRuntimeRows],
  ["browser-size", async () => (await import("./groups/browser-size.mjs")).browserSizeRows],
]);
