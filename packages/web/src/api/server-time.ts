/** Answers name whole seconds: the largest difference is the most exact one, until a clock is set anew. */
const ROUNDED_BY_MS = 2_000;

let aheadMs: number | null = null;

/** Notes the server's time, the header `Date` of an answer that has just come. */
export function noteServerTime(date: string | null, nowMs = Date.now()): void {
  const measured = Date.parse(date ?? '') - nowMs;
  if (Number.isNaN(measured)) return;
  if (aheadMs === null || measured > aheadMs || measured < aheadMs - ROUNDED_BY_MS) aheadMs = measured;
}

/** The time by the server's clock, as far as it is known: this computer's may be set wrongly. */
export function serverNowMs(nowMs = Date.now()): number {
  return nowMs + (aheadMs ?? 0);
}
