import type { Durations, Figures } from './figures';

/** The limits within which a run passes. */
const MAX_AVERAGE_MS = 100;
const MAX_P99_MS = 2_000;
const MAX_ERROR_SHARE = 0.000_25;

export interface Verdict {
  holds: boolean;
  /** The exceeded limits, in words. */
  reasons: string[];
}

/** Whether a run passes: the users' own requests, and the delivery of others' messages. */
export function judge(figures: Pick<Figures, 'awaited' | 'of' | 'requests' | 'errorCount'>): Verdict {
  const errorShare = figures.errorCount / Math.max(1, figures.requests);
  const reasons = [
    ...slowness('requests', figures.awaited),
    ...slowness('deliveries', figures.of('delivery')),
    ...(errorShare >= MAX_ERROR_SHARE
      ? [`${(errorShare * 100).toFixed(3)} % of the requests failed (the bound is ${MAX_ERROR_SHARE * 100} %)`]
      : []),
    ...(figures.awaited.count === 0 ? ['nothing was measured'] : []),
  ];
  return { holds: reasons.length === 0, reasons };
}

/** Whether every request was answered with success. */
export function judgeSteady({ awaited, errorCount }: Pick<Figures, 'awaited' | 'errorCount'>): Verdict {
  const reasons = [
    ...(errorCount > 0 ? [`${errorCount} requests were not answered with 200`] : []),
    ...(awaited.count === 0 ? ['nothing was measured'] : []),
  ];
  return { holds: reasons.length === 0, reasons };
}

function slowness(what: string, { averageMs, p99Ms }: Durations): string[] {
  return [
    ...(averageMs >= MAX_AVERAGE_MS ? [`${what} took ${averageMs.toFixed(0)} ms on the average`] : []),
    ...(p99Ms >= MAX_P99_MS ? [`one in a hundred ${what} took ${(p99Ms / 1_000).toFixed(1)} s or more`] : []),
  ];
}
