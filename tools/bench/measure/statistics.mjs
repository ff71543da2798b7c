// Medians and other quantiles of samples, and how they are printed.

/** @param {readonly number[]} samples @param {number} share from 0 to 1 */
export function quantile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** @param {readonly number[]} samples */
export function median(samples) {
  return quantile(samples, 0.5);
}

/**
 * A duration with three digits and the unit that suits it.
 * @param {number} ms
 */
export function duration(ms) {
  const [value, unit] = ms >= 1 ? [ms, "ms"] : ms >= 0.001 ? [ms * 1e3, "µs"] : [ms * 1e6, "ns"];
  return `${Number(value.toPrecision(3))} ${unit}`;
}

/**
 * So many a second.
 * @param {number} count @param {number} ms @param {string} what
 */
export function rate(count, ms, what) {
  const thousands = count / ms;
  return thousands >= 1000
    ? `${(thousands / 1000).toFixed(2)} M ${what}/s`
    : `${thousands.toFixed(0)} k ${what}/s`;
}
