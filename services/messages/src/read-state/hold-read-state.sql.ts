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

export interface Held {
  id: number;
  conversationId: number;
  channelId: number | null;
}

/**
 * Until the transaction ends, the messages neither move nor are deleted; false when one of them did so since it was loaded. Whoever moves
 * or deletes messages holds them first, too, and read state after them. Whoever edits or reacts to them waits as well, and tells those
 * who have something of their own on them then.
 */
export async function holdFlagged(tx: Transaction, realmId: number, messages: readonly Held[]): Promise<boolean> {
  const ids = messages.map(({ id }) => id);
  await tx.query(
    `with held as materialized (
       select conversation_id as id from message where realm_id = $1 and id = any($2::bigint[]) order by id for share
     )
     select pg_advisory_xact_lock_shared(${KEY}) from (select distinct id from held order by id offset 0) as conversation`,
    [realmId, ids],
  );
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as known (id, conversation_id, channel_id)
     join message m on m.realm_id = $1 and m.id = known.id and m.conversation_id = known.conversation_id
       and m.channel_id is not distinct from known.channel_id`,
    [realmId, ids, messages.map(({ conversationId }) => conversationId), messages.map(({ channelId }) => channelId)],
  );
  return row?.count === ids.length;
}

/** Until the transaction ends, nobody marks anything in these conversations. */
export async function holdReadState(tx: Transaction, conversationIds: readonly number[]): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(${KEY})
     from (select distinct id from unnest($1::bigint[]) as id order by id offset 0) as conversation`,
    [conversationIds],
  );
}
