/** Durations in milliseconds, and what is said of them. */
export interface Quantiles {
  p50Ms: number;
  p99Ms: number;
}

export function quantiles(durationsMs: readonly number[]): Quantiles {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
