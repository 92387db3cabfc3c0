import { type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

const RENEW = statement('select lasts_ms as "lastsMs", has_begun as "hasBegun" from renew_lease($1)', {
  lastsMs: z.number(),
  hasBegun: z.boolean(),
});

/** Null: for a moment nobody may be a holder. */
export async function renewLease(sql: Sql, holderId: string): Promise<RowOf<typeof RENEW> | null> {
  const [row] = await sql.query(RENEW, [holderId]);
  return row ?? null;
}

const END = statement('delete from lease_holder where id = $1');

/** The holder has forgotten its leases. */
export async function endHolder(sql: Sql, holderId: string): Promise<void> {
  await sql.query(END, [holderId]);
}

const LIST_UNCHANGING = statement(
  `select asked.realm_id as "realmId" from unnest($1::bigint[]) as asked (realm_id)
   where pg_try_advisory_xact_lock(leases_of(asked.realm_id))`,
  { realmId: z.number() },
);

/**
 * The organizations of which no running transaction has changed what is leased. What is read by a later statement may be leased: a transaction that changes
 * it begins after this, and ends the lease, or those that are asked for meanwhile.
 */
export async function listUnchanging(sql: Sql, realmIds: readonly number[]): Promise<Set<number>> {
  const rows = await sql.query(LIST_UNCHANGING, [realmIds]);
  return new Set(rows.map(({ realmId }) => realmId));
}

const AWAIT_END = statement('select await_end_of_leases() is null as "isOver"', { isOver: z.boolean() });

/** Waits until nobody has a lease; nobody gets one before the end of the transaction. */
export async function awaitEndOfLeases(tx: Transaction): Promise<void> {
  await tx.query(AWAIT_END);
}
