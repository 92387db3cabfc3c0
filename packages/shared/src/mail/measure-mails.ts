import type { Sql } from '../db';
import { declareGauge, onScrape } from '../observability';
import type { Clock } from '../values';
import { readMailBacklog } from './mail-job.sql';

const mails = declareGauge('parley_mails', 'Mails that wait, and those that were given up', ['service', 'state']);
const oldest = declareGauge('parley_mails_oldest_due_seconds', 'How long a mail has been due', ['service']);

/** Has a service's mails counted until the returned function is called. */
export function measureMails(service: string, { db, clock }: { db: Sql; clock: Clock }): () => void {
  return onScrape(async () => {
    const { waiting, oldestDueMs, undelivered } = await readMailBacklog(db, clock.now());
    return [
      { gauge: mails, value: waiting, labels: { service, state: 'waiting' } },
      { gauge: mails, value: undelivered, labels: { service, state: 'undelivered' } },
      { gauge: oldest, value: oldestDueMs / 1000, labels: { service } },
    ];
  });
}
