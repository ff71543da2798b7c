// One line of the table: what was measured, beside its floor and its target.

/**
 * @typedef {object} Row
 * @property {string} operation
 * @property {string} ours
 * @property {string} floor what it is held against, measured in the same run; empty for an absolute target
 * @property {string} ratio
 * @property {string} target
 * @property {boolean | undefined} met `undefined` for a figure without a target
 */

/**
 * A limit on a ratio or a figure: at most, or at least, that much.
 * @typedef {{ readonly most: number } | { readonly least: number }} Limit
 */

/** @param {Limit} limit @param {number} value */
function keeps(limit, value) {
  return "most" in limit ? value <= limit.most : value >= limit.least;
}

/**
 * A row that holds ours against a floor. `limit` bounds the ratio.
 * @param {{ operation: string, ours: string, floor: string, ratio: number, limit?: Limit }} facts
 * @returns {Row}
 */
export function againstFloor({ operation, ours, floor, ratio, limit }) {
  return {
    operation,
    ours,
    floor,
    ratio: `${ratio.toFixed(2)}×`,
    target: limit === undefined ? "–" : sign(limit, "×"),
    met: limit === undefined ? undefined : keeps(limit, ratio),
  };
}

/**
 * A row with a target of its own. The limits bound the values one by one.
 * @param {{ operation: string, values: readonly number[], unit: string, digits?: number, limits?: readonly Limit[], floor?: string }} facts
 * @returns {Row}
 */
export function againstLimit({ operation, values, unit, digits = 1, limits = [], floor = "" }) {
  return {
    operation,
    ours: `${values.map((value) => value.toFixed(digits)).join(" / ")} ${unit}`,
    floor,
    ratio: "",
    target: limits.length === 0 ? "–" : `${limits.map((limit) => sign(limit, "")).join(" / ")} ${unit}`,
    met:
      limits.length === 0
        ? undefined
        : limits.every((limit, index) => keeps(limit, values[index] ?? Number.NaN)),
  };
}

/** @param {Limit} limit @param {string} unit */
function sign(limit, unit) {
  return "most" in limit ? `≤ ${limit.most}${unit}` : `≥ ${limit.least}${unit}`;
}
