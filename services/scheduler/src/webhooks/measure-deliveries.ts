import type { Sql } from '@parley/shared/db';
import { declareGauge, onScrape } from '@parley/shared/observability';
import { countDeliveries } from './delivery.sql';

const deliveries = declareGauge('parley_webhook_deliveries', 'Calls of bots; dead: the bot could not be reached', [
  'state',
]);

/** Has deliveries counted until the returned function is called. */
export function measureDeliveries(db: Sql): () => void {
  return onScrape(async () => {
    const counts = await countDeliveries(db);
    return counts.map(({ state, count }) => ({ gauge: deliveries, value: count, labels: { state } }));
  });
}
