import { declareGauge, onScrape } from '@parley/shared/observability';
import type { Context } from './context';

const waiting = declareGauge('parley_registrations_waiting', 'Who waits for POST /register to begin', ['of']);

/** Registers this replica's metrics until the returned function is called. */
export function measure({ registrations, visitorRegistrations }: Context): () => void {
  return onScrape(() => [
    { gauge: waiting, value: registrations.waitingCount, labels: { of: 'users' } },
    { gauge: waiting, value: visitorRegistrations.waitingCount, labels: { of: 'visitors' } },
  ]);
}
