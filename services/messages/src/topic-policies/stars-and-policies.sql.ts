import { composed, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';
import { wasGiven } from '../read-state/first-history.sql';

// Planned for each call, as it is for one user's many channels or for thousands of users of one: PostgreSQL begins the stars with whichever has
// fewer. For them the users are joined, since it takes a condition on thousands of ids for costly and would read all stars instead.
// A text with channels, and one without: for both together PostgreSQL would read the policies for all channels.
const listingKeepers = (ofChannels: (column: string) => string) =>
  composed(
    `select id from (
     select p.user_id as id from topic_policy p
     where p.realm_id = $1 and p.user_id = any($2::bigint[]) ${ofChannels('p.channel_id')}
     union
     select asked.id from unnest($2::bigint[]) as asked (id)
     join personal_flag f on f.realm_id = $1 and f.user_id = asked.id and f.is_starred
     join message m on m.realm_id = $1 and m.id = f.message_id ${ofChannels('m.channel_id')}
   ) as keeper order by id`,
    { id: z.number() },
  );
const LIST_KEEPERS = listingKeepers(() => '');
const LIST_KEEPERS_IN_CHANNELS = listingKeepers((column) => `and ${column} = any($3::bigint[])`);

/** Users with stars or topic policies in the channels; null: in any channel. */
export async function listKeepers(
  sql: Sql,
  {
    realmId,
    userIds,
    channelIds,
  }: { realmId: number; userIds: readonly number[]; channelIds: readonly number[] | null },
): Promise<number[]> {
  const values = [realmId, [...new Set(userIds)]];
  const rows = channelIds
    ? await sql.query(LIST_KEEPERS_IN_CHANNELS, [...values, channelIds])
    : await sql.query(LIST_KEEPERS, values);
  return rows.map(({ id }) => id);
}

// Sorted by id, because transactions for several users wait for one another.
const LOCK_ACCESS = statement(
  `select pg_advisory_xact_lock(hashtextextended('access ' || $1::bigint || ' ' || keeper.id, 0)) as locked
   from (select id from unnest($2::bigint[]) as id order by id offset 0) as keeper`,
  { locked: z.literal('') },
);

/** Locks the visibility of the users' stars and topic policies until the transaction ends. */
export async function lockAccess(tx: Transaction, realmId: number, userIds: readonly number[]): Promise<void> {
  await tx.query(LOCK_ACCESS, [realmId, userIds]);
}

const LIST_STARS_AND_POLICIES = statement(
  `select keeper.id as "userId", (
     select coalesce(json_agg(json_build_object('id', m.id, 'isShown', f.is_star_shown, 'conversationId', m.conversation_id,
       'channelId', m.channel_id, 'sentChannelId', m.sent_channel_id, 'sentVersion', m.sent_version, 'movedVersion', m.moved_version,
       'participantIds', null, 'isHistorical', f.is_historical, 'isGiven', ${wasGiven('keeper.id')})
       order by m.id), '[]')
     from personal_flag f join message m on m.realm_id = $1 and m.id = f.message_id
     where f.realm_id = $1 and f.user_id = keeper.id and f.is_starred and m.channel_id is not null
       and ($3::bigint[] is null or m.channel_id = any($3))
   ) as stars, array(
     select distinct p.channel_id from topic_policy p
     where p.realm_id = $1 and p.user_id = keeper.id and ($3::bigint[] is null or p.channel_id = any($3)) order by 1
   ) as "decidedIds"
   from unnest($2::bigint[]) as keeper (id) order by keeper.id`,
  {
    userId: z.number(),
    stars: z.array(
      z.strictObject({
        id: z.number(),
        // Clients have the star.
        isShown: z.boolean(),
        conversationId: z.number(),
        channelId: z.number(),
        sentChannelId: z.number(),
        sentVersion: z.number(),
        movedVersion: z.number().nullable(),
        participantIds: z.null(),
        isHistorical: z.boolean(),
        isGiven: z.boolean(),
      }),
    ),
    // Channels with topics for which the user has a policy.
    decidedIds: z.array(z.number()),
  },
);

export type StarsAndPolicies = RowOf<typeof LIST_STARS_AND_POLICIES>;

/** Each user's stars and topic policies in the channels; null: in any channel. */
export function listStarsAndPolicies(
  tx: Transaction,
  {
    realmId,
    userIds,
    channelIds,
  }: { realmId: number; userIds: readonly number[]; channelIds: readonly number[] | null },
): Promise<StarsAndPolicies[]> {
  return tx.query(LIST_STARS_AND_POLICIES, [realmId, userIds, channelIds]);
}
