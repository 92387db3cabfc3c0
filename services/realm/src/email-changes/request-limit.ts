const HOUR_MS = 3_600_000;

export const DAY_MS = 24 * HOUR_MS;

/** How many requests an account has in any span of time. */
const LIMITS = [
  { spanMs: HOUR_MS, count: 2 },
  { spanMs: DAY_MS, count: 5 },
];

/** For how many seconds somebody has to wait who asked at these times, of which the last comes last; 0: not at all. */
export function secondsToWait(requestTimesMs: readonly number[], nowMs: number): number {
  const waits = LIMITS.map(({ spanMs, count }) => {
    const decisiveMs = requestTimesMs.at(-count);
    return decisiveMs === undefined ? 0 : Math.max(0, decisiveMs + spanMs - nowMs);
  });
  return Math.ceil(Math.max(...waits) / 1000);
}
