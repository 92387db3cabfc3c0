import type { Sql } from '@parley/shared/db';

/**
 * SQL: another value after every change of the organization's rows in the table. It is made of the versions of the rows (`xmin`),
 * which takes a small part of the time that it takes to list them. `hashed` is what tells the rows apart, as a hash with a seed.
 */
function versionOf(table: string, hashed: (seed: string) => string): string {
  return `(select concat(count(*), '.', sum(${hashed('xmin::text::bigint')})) from ${table} where realm_id = $1)`;
}

const byId = (id: string) => (seed: string) => `hashint8extended(${id}, ${seed})`;
const byIds = (first: string, second: string) => (seed: string) => byId(first)(byId(second)(seed));
const byIdAndName = (id: string) => (seed: string) => `hashint8extended(${id}, hashtextextended(name, ${seed}))`;

const ACCOUNTS = versionOf('user_account', byId('id'));
const PROFILES = [versionOf('profile_field', byId('id')), versionOf('profile_value', byIds('user_id', 'field_id'))];
const GROUPS = [
  versionOf('user_group', byId('id')),
  versionOf('user_group_member', byIds('group_id', 'user_id')),
  versionOf('user_group_subgroup', byIds('group_id', 'subgroup_id')),
  versionOf('user_group_setting', byIdAndName('user_group_id')),
];
const CHANNELS = [versionOf('channel', byId('id')), versionOf('channel_group_setting', byIdAndName('channel_id'))];
/** How many members wait follows from the clock, too. */
const WAITING = `(select count(*) from user_account u join realm r on r.id = u.realm_id
  where u.realm_id = $1 and r.waiting_period_threshold > 0
    and u.created_at > to_timestamp($2 / 1000.0) - r.waiting_period_threshold * interval '24 hours')`;

async function findVersion(sql: Sql, parts: readonly string[], values: readonly number[]): Promise<string> {
  const [row] = await sql.query<{ version: string }>(`select concat_ws('/', ${parts.join(', ')}) as version`, values);
  return (row as { version: string }).version;
}

/** Another one after every change of an account or a profile. */
export function findUserListsVersion(sql: Sql, realmId: number): Promise<string> {
  return findVersion(sql, [ACCOUNTS, ...PROFILES], [realmId]);
}

/** Another one after every change of who is in which group, and of the groups. */
export function findGroupListVersion(sql: Sql, realmId: number, nowMs: number): Promise<string> {
  return findVersion(sql, [ACCOUNTS, ...GROUPS, WAITING], [realmId, nowMs]);
}

/** Another one after every change of a channel, or of what its settings come to. */
export function findChannelsVersion(sql: Sql, realmId: number): Promise<string> {
  return findVersion(sql, [ACCOUNTS, ...GROUPS, ...CHANNELS], [realmId]);
}

const SUBSCRIBERS = `(select concat(count(*), '.', sum(hashint8extended(id, subscription_version)))
  from channel where realm_id = $1)`;
const PRESENT = `(select concat(count(*), '.', sum(hashint8(user_id)::bigint)) from user_presence
  where realm_id = $1 and connected_at > to_timestamp($2 / 1000.0))`;

/** Another one after every change of a channel's subscribers: it is made of the channels' versions. */
export function findSubscribersVersion(sql: Sql, realmId: number): Promise<string> {
  return findVersion(sql, [SUBSCRIBERS], [realmId]);
}

/** Another one, too, after every change of who was there since then. */
export function findPartialSubscribersVersion(sql: Sql, realmId: number, presentSinceMs: number): Promise<string> {
  return findVersion(sql, [SUBSCRIBERS, PRESENT], [realmId, presentSinceMs]);
}
