import { declareGauge, onScrape } from '../observability';
import type { OutboxRelay } from './outbox-relay';

const LABELS = ['service'];
const waiting = declareGauge('parley_outbox_waiting_events', 'Events that are not in the log yet', LABELS);
const oldest = declareGauge('parley_outbox_oldest_waiting_seconds', 'How long the first of them has waited', LABELS);
const refilling = declareGauge('parley_outbox_refill_rows', 'Rows to go until a lost log is refilled', LABELS);
const leading = declareGauge('parley_outbox_leading', 'Whether this replica publishes: 1 or 0', LABELS);
const delay = declareGauge(
  'parley_outbox_publish_delay_seconds',
  'From the last change to its being in the log',
  LABELS,
);

/** Has a relay measured until the returned function is called: every replica tells how far the log is behind, whoever publishes. */
export function measureRelay(service: string, relay: Pick<OutboxRelay, 'gauges'>): () => void {
  const labels = { service };
  return onScrape(async () => {
    const { isLeading, publishDelayMs, waitingEvents, oldestWaitingMs, rowsToRefill } = await relay.gauges();
    return [
      { gauge: waiting, value: waitingEvents, labels },
      { gauge: oldest, value: oldestWaitingMs / 1000, labels },
      { gauge: refilling, value: rowsToRefill, labels },
      { gauge: leading, value: isLeading ? 1 : 0, labels },
      { gauge: delay, value: publishDelayMs / 1000, labels },
    ];
  });
}
