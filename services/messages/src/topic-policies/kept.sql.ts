import { onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

const LIST_KEEPERS = statement(
  `select u.id from unnest($2::bigint[]) as u (id)
   where exists (
       select from topic_policy p where p.realm_id = $1 and p.user_id = u.id and ($3::bigint[] is null or p.channel_id = any($3)))
     or exists (
       select from personal_flag f join message m on m.realm_id = $1 and m.id = f.message_id
       where f.realm_id = $1 and f.user_id = u.id and f.is_starred and ($3::bigint[] is null or m.channel_id = any($3)))
   order by u.id`,
  { id: z.number() },
);

/** Who of the users has starred messages, or decided about topics, of the channels; null: of any. */
export async function listKeepers(
  sql: Sql,
  {
    realmId,
    userIds,
    channelIds,
  }: { realmId: number; userIds: readonly number[]; channelIds: readonly number[] | null },
): Promise<number[]> {
  const rows = await sql.query(LIST_KEEPERS, [realmId, [...new Set(userIds)], channelIds]);
  return rows.map(({ id }) => id);
}

const LOCK_ACCESS = statement(
  `select pg_advisory_xact_lock(hashtextextended('access ' || $1 || ' ' || $2, 0)) as locked`,
  {
    locked: z.literal(''),
  },
);

/** Until the transaction ends, nobody else hides or shows what the user has starred and decided. */
export async function lockAccess(tx: Transaction, realmId: number, userId: number): Promise<void> {
  await tx.query(LOCK_ACCESS, [String(realmId), String(userId)]);
}

const LIST_KEPT = statement(
  `select (
     select coalesce(json_agg(json_build_object('id', m.id, 'isShown', f.is_star_shown, 'conversationId', m.conversation_id,
       'channelId', m.channel_id, 'channelIds', array[m.channel_id, m.sent_channel_id]) order by m.id), '[]')
     from personal_flag f join message m on m.realm_id = $1 and m.id = f.message_id
     where f.realm_id = $1 and f.user_id = $2 and f.is_starred and m.channel_id is not null
       and ($3::bigint[] is null or m.channel_id = any($3))
   ) as stars, array(
     select distinct p.channel_id from topic_policy p
     where p.realm_id = $1 and p.user_id = $2 and ($3::bigint[] is null or p.channel_id = any($3)) order by 1
   ) as "decidedIds"`,
  {
    stars: z.array(
      z.strictObject({
        isShown: z.boolean(),
        channelIds: z.array(z.number()),
        id: z.number(),
        conversationId: z.number(),
        channelId: z.number().nullable(),
      }),
    ),
    /** Channels with topics that the user has decided something about. */
    decidedIds: z.array(z.number()),
  },
);

/** What the user has starred in the channels, and where they have decided about topics; null: in any. */
export async function listKept(
  sql: Sql,
  { realmId, userId, channelIds }: { realmId: number; userId: number; channelIds: readonly number[] | null },
) {
  return onlyRow(await sql.query(LIST_KEPT, [realmId, userId, channelIds]));
}
