import type { Sql } from '@parley/shared/db';

export interface PartialView {
  /** Of larger channels only bots are listed, and whoever was there since then. */
  maxSubscribersInFull: number;
  presentSinceMs: number;
}

export interface SubscribersRow {
  channelId: number;
  /** A JSON array. */
  userIds: string;
  isPartial: boolean;
}

/** Active subscribers of every channel that has any, by channel: their ids, ascending. */
export function listSubscribersAsJson(
  sql: Sql,
  realmId: number,
  { maxSubscribersInFull, presentSinceMs }: PartialView,
): Promise<SubscribersRow[]> {
  return sql.query(
    // Lasting intervals are those of active users, and their index has all that is asked for.
    `select c.id as "channelId", c.subscriber_count > $2::bigint as "isPartial", concat('[', array_to_string(
       case when c.subscriber_count <= $2::bigint then array(
         select i.user_id from subscription_interval i
         where i.realm_id = $1 and i.channel_id = c.id and i.to_version is null order by i.user_id)
       else array(
         select i.user_id from subscription_interval i
         where i.realm_id = $1 and i.channel_id = c.id and i.to_version is null and (
           i.user_id in (select u.id from user_account u where u.realm_id = $1 and u.is_bot)
           or i.user_id in (select p.user_id from user_presence p
             where p.realm_id = $1 and p.connected_at > to_timestamp($3 / 1000.0)))
         order by i.user_id) end, ','), ']') as "userIds"
     from channel c where c.realm_id = $1 and c.subscriber_count > 0 order by c.id`,
    [realmId, maxSubscribersInFull, presentSinceMs],
  );
}
