import type { Sql } from '@parley/shared/db';
import { ROLES } from '@parley/shared/values';
import { changesOf } from './list-changes.sql';

/** Waiting periods end by the clock, one member after the other: the last whose has ended tells which have. */
const ENDED_WAITING = `(select concat(r.waiting_period_threshold, '.', (
    select extract(epoch from u.created_at) from user_account u
    where u.realm_id = $1 and u.role = ${ROLES.member}
      and u.created_at <= to_timestamp($2 / 1000.0) - r.waiting_period_threshold * interval '24 hours'
    order by u.created_at desc limit 1))
  from realm r where r.id = $1)`;

async function findVersion(sql: Sql, parts: readonly string[], values: readonly number[]): Promise<string> {
  const [row] = await sql.query<{ version: string }>(`select concat_ws('/', ${parts.join(', ')}) as version`, values);
  return (row as { version: string }).version;
}

/** Another one after every change of an account or a profile. */
export function findUserListsVersion(sql: Sql, realmId: number): Promise<string> {
  return findVersion(sql, [changesOf('users')], [realmId]);
}

/** Another one after every change of who is in which group, and of the groups. */
export function findGroupListVersion(sql: Sql, realmId: number, nowMs: number): Promise<string> {
  return findVersion(sql, [changesOf('groups'), ENDED_WAITING], [realmId, nowMs]);
}

/** Another one after every change of a channel, or of what its settings come to. */
export function findChannelsVersion(sql: Sql, realmId: number): Promise<string> {
  return findVersion(sql, [changesOf('channels')], [realmId]);
}

/** Another one after every change of a channel's subscribers. */
export function findSubscribersVersion(sql: Sql, realmId: number): Promise<string> {
  return findVersion(sql, [changesOf('subscribers')], [realmId]);
}

/** Another one, too, once somebody was there who had not been since then, and when that is another time. */
export function findPartialSubscribersVersion(sql: Sql, realmId: number, presentSinceMs: number): Promise<string> {
  return findVersion(sql, [changesOf('subscribers'), changesOf('present'), '$2::bigint'], [realmId, presentSinceMs]);
}

/** Another one after every change of a status, or of who has an account. */
export function findStatusesVersion(sql: Sql, realmId: number): Promise<string> {
  return findVersion(sql, [changesOf('statuses')], [realmId]);
}

export interface PartialView {
  /** Of larger channels only bots and users active since then are listed. */
  maxSubscribersInFull: number;
  presentSinceMs: number;
}

interface SubscribersRow {
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
