import { composed, onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { changesOf } from './list-changes.sql';

/** Waiting periods end by the clock, in the order of joining: the last member whose period has ended identifies the set. */
const endedWaiting = (nowMs: string) => `(select concat(r.waiting_period_threshold, '.', (
    select extract(epoch from u.created_at) from user_account u
    where u.realm_id = $1 and u.role = ${ROLES.member}
      and u.created_at <= to_timestamp(${nowMs} / 1000.0) - r.waiting_period_threshold * interval '24 hours'
    order by u.created_at desc limit 1))
  from realm r where r.id = $1)`;

const concatenated = (...parts: string[]) => `concat_ws('/', ${parts.join(', ')})`;

const version = (...parts: string[]) =>
  statement(`select ${concatenated(...parts)} as version`, { version: z.string() });

const OF_USER_LISTS = version(changesOf('users'));
const OF_GROUP_LIST = version(changesOf('groups'), endedWaiting('$2'));
const OF_CHANNELS = version(changesOf('channels'));
const OF_SUBSCRIBERS = version(changesOf('subscribers'));
const OF_PARTIAL_SUBSCRIBERS = version(changesOf('subscribers'), changesOf('present'), '$2::bigint');

async function findVersion(sql: Sql, of: typeof OF_CHANNELS, values: readonly number[]): Promise<string> {
  return onlyRow(await sql.query(of, values)).version;
}

/** Differs after every change of an account or a profile. */
export function findUserListsVersion(sql: Sql, realmId: number): Promise<string> {
  return findVersion(sql, OF_USER_LISTS, [realmId]);
}

/** Differs after every change of groups or their members. */
export function findGroupListVersion(sql: Sql, realmId: number, nowMs: number): Promise<string> {
  return findVersion(sql, OF_GROUP_LIST, [realmId, nowMs]);
}

/** Differs after every change of a channel, or of the values of its settings. */
export function findChannelsVersion(sql: Sql, realmId: number): Promise<string> {
  return findVersion(sql, OF_CHANNELS, [realmId]);
}

/** Differs after every change of a channel's subscribers. */
export function findSubscribersVersion(sql: Sql, realmId: number): Promise<string> {
  return findVersion(sql, OF_SUBSCRIBERS, [realmId]);
}

/** Also differs after the return of a user who was inactive since then, and for another `presentSinceMs`. */
export function findPartialSubscribersVersion(sql: Sql, realmId: number, presentSinceMs: number): Promise<string> {
  return findVersion(sql, OF_PARTIAL_SUBSCRIBERS, [realmId, presentSinceMs]);
}

/** SQL: what findUserListsVersion() finds; `$1` is the organization. */
export function usersVersionOf(): string {
  return concatenated(changesOf('users'));
}

/** SQL: differs after every change of a status or of the accounts. The argument is SQL. */
export function statusesVersionOf(realmId: string): string {
  return concatenated(changesOf('statuses', realmId));
}

/** SQL: differs after every change of a bot besides its account. The argument is SQL. */
export function botsVersionOf(realmId: string): string {
  return concatenated(changesOf('bots', realmId));
}

/**
 * SQL for columns with the versions that the functions above find, as LIST_VERSIONS. The arguments are SQL; `presentSinceMs`: of partial lists
 * of subscribers, or null.
 */
export function listVersionsOf(nowMs: string, presentSinceMs: string): string {
  const present = `case when ${presentSinceMs} is not null then ${changesOf('present')} end`;
  return `${concatenated(changesOf('users'))} as users, ${concatenated(changesOf('groups'), endedWaiting(nowMs))} as groups,
     ${concatenated(changesOf('channels'))} as channels,
     ${concatenated(changesOf('subscribers'), present, presentSinceMs)} as subscribers`;
}

/** See ListVersions. */
export const LIST_VERSIONS = {
  users: z.string(),
  groups: z.string(),
  channels: z.string(),
  subscribers: z.string(),
};

const OF_LISTS = statement(`select ${listVersionsOf('$2', '$3::bigint')}`, LIST_VERSIONS);

export interface ListsView {
  nowMs: number;
  /** Of partial lists of subscribers; null: of whole ones. */
  presentSinceMs: number | null;
}

export async function findListVersions(
  sql: Sql,
  realmId: number,
  { nowMs, presentSinceMs }: ListsView,
): Promise<RowOf<typeof OF_LISTS>> {
  return onlyRow(await sql.query(OF_LISTS, [realmId, nowMs, presentSinceMs]));
}

export interface PartialView {
  /** Larger channels list only bots and users active since then. */
  maxSubscribersInFull: number;
  presentSinceMs: number;
}

// Open intervals are those of active users, and their index has all columns needed.
const LIST_SUBSCRIBERS = composed(
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
  {
    channelId: z.number(),
    // A JSON array.
    userIds: z.string(),
    isPartial: z.boolean(),
  },
);

/** Active subscribers of every channel that has any, by channel: their ids, ascending. */
export function listSubscribersAsJson(
  sql: Sql,
  realmId: number,
  { maxSubscribersInFull, presentSinceMs }: PartialView,
): Promise<RowOf<typeof LIST_SUBSCRIBERS>[]> {
  return sql.query(LIST_SUBSCRIBERS, [realmId, maxSubscribersInFull, presentSinceMs]);
}
