import type { Sql } from '@parley/shared/db';
import type { ChannelActivity } from '@parley/shared/proto';

/** Of the channels that have messages; recent is what was sent since then. A few index lookups for each channel. */
export function listChannelActivity(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  recentSinceMs: number,
): Promise<ChannelActivity[]> {
  return sql.query(
    `select c.id as "channelId", first.id as "firstMessageId",
       latest.sent_at >= to_timestamp($3 / 1000.0) as "isRecentlyActive",
       exists (
         select from topic t where t.realm_id = $1 and t.channel_id = c.id and t.name_key <> '' and exists (
           select from message m where m.realm_id = $1 and m.conversation_id = t.id)) as "hasNamedTopics"
     from unnest($2::bigint[]) as c (id), lateral (
       select m.id from message m where m.realm_id = $1 and m.channel_id = c.id order by m.id limit 1
     ) first, lateral (
       select m.sent_at from message m where m.realm_id = $1 and m.channel_id = c.id order by m.id desc limit 1
     ) latest`,
    [realmId, channelIds, recentSinceMs],
  );
}
