import type { Transaction } from '@parley/shared/db';

const KEY = `hashtextextended('read state ' || id, 0)`;

/**
 * Until the transaction ends, no message leaves or joins these conversations. Marks share this, and hold up neither each other nor
 * sends: without it a mark could be stored where its message has just left.
 */
export async function shareReadState(tx: Transaction, conversationIds: readonly number[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock_shared(${KEY})
     from (select distinct id from unnest($1::bigint[]) as id order by id offset 0) as conversation`,
    [conversationIds],
  );
}

/** The same for the conversations that these messages are in. */
export async function shareReadStateOf(tx: Transaction, realmId: number, messageIds: readonly number[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock_shared(${KEY}) from (
       select distinct conversation_id as id from message where realm_id = $1 and id = any($2::bigint[])
       order by conversation_id offset 0
     ) as conversation`,
    [realmId, messageIds],
  );
}

/** Until the transaction ends, nobody marks anything in these conversations. */
export async function holdReadState(tx: Transaction, conversationIds: readonly number[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(${KEY})
     from (select distinct id from unnest($1::bigint[]) as id order by id offset 0) as conversation`,
    [conversationIds],
  );
}
