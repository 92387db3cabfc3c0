import { type Sql, statement, type Transaction } from '../db';
import type { DomainEvent } from '../events';

const INSERT = statement(
  'outbox-insert',
  `insert into outbox (realm_id, kind, payload)
   select * from unnest($1::bigint[], $2::text[], $3::text[])`,
);

/**
 * Announces what has happened, in the transaction in which it happens: the only way a change becomes an event. Called last in an
 * action, so that the events of transactions that waited for one another stand in the outbox in that order.
 */
export async function announce(tx: Transaction, ...events: DomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  await insertEvents(tx, events);
  tx.hasAnnounced = true;
}

async function insertEvents(sql: Sql, events: DomainEvent[]): Promise<void> {
  await sql.query(INSERT, [
    events.map(({ realmId }) => realmId),
    events.map(({ kind }) => kind),
    events.map(({ payload }) => JSON.stringify(payload)),
  ]);
}
