import type { Sql } from '@parley/shared/db';
import type { FillChannel, FillInterval, FillPerson } from '@parley/shared/proto';

/** A row as the statement reads it. */
export interface AccountRow {
  email: string;
  full_name: string;
  full_name_key: string;
  role: number;
  bot_type: number | null;
  bot_owner_id: number | null;
  is_active: boolean;
  timezone: string;
  days: number;
}

/** Makes accounts and returns their ids, in order. Violates EMAIL_IS_UNIQUE when an address is taken. */
export async function insertAccounts(
  sql: Sql,
  realmId: number,
  nowMs: number,
  rows: readonly AccountRow[],
): Promise<number[]> {
  const made = await sql.query<{ id: number; email: string }>(
    `insert into user_account (realm_id, delivery_email, email, full_name, full_name_key, role, is_bot, bot_type,
       bot_owner_id, is_active, timezone, created_at)
     select $1, email, email, full_name, full_name_key, role, bot_type is not null, bot_type, bot_owner_id, is_active,
       timezone, to_timestamp($2 / 1000.0) - days * interval '24 hours'
     from json_to_recordset($3::json) as row (email text, full_name text, full_name_key text, role smallint,
       bot_type smallint, bot_owner_id bigint, is_active boolean, timezone text, days integer)
     returning id, email`,
    [realmId, nowMs, JSON.stringify(rows)],
  );
  const idOf = new Map(made.map(({ id, email }) => [email, id]));
  return rows.map(({ email }) => idOf.get(email) as number);
}

/** The owner who has been there for longest. */
export async function findFirstOwner(sql: Sql, realmId: number): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>(
    'select id from user_account where realm_id = $1 and role = 100 and is_active and not is_bot order by id limit 1',
    [realmId],
  );
  return row?.id ?? null;
}

export async function insertProfileValues(
  sql: Sql,
  realmId: number,
  fieldId: number,
  values: readonly { userId: number; value: string }[],
): Promise<void> {
  await sql.query(
    `insert into profile_value (realm_id, user_id, field_id, value)
     select $1, user_id, $2, value from unnest($3::bigint[], $4::text[]) as row (user_id, value)`,
    [realmId, fieldId, values.map(({ userId }) => userId), values.map(({ value }) => value)],
  );
}

interface GroupRow {
  name: string;
  name_key: string;
  description: string;
}

/** Makes groups without members and returns their ids, in order. Violates user_group_name_is_unique when a name is taken. */
export async function insertGroups(
  sql: Sql,
  realmId: number,
  { creatorId, nowMs }: { creatorId: number; nowMs: number },
  rows: readonly GroupRow[],
): Promise<number[]> {
  const made = await sql.query<{ id: number; name: string }>(
    `insert into user_group (realm_id, name, name_key, description, creator_id, created_at)
     select $1, name, name_key, description, $2, to_timestamp($3 / 1000.0)
     from json_to_recordset($4::json) as row (name text, name_key text, description text)
     returning id, name`,
    [realmId, creatorId, nowMs, JSON.stringify(rows)],
  );
  const idOf = new Map(made.map(({ id, name }) => [name, id]));
  return rows.map(({ name }) => idOf.get(name) as number);
}

export async function insertGroupMembers(
  sql: Sql,
  realmId: number,
  members: readonly { groupId: number; userId: number }[],
): Promise<void> {
  await sql.query(
    `insert into user_group_member (realm_id, group_id, user_id)
     select $1, group_id, user_id from unnest($2::bigint[], $3::bigint[]) as row (group_id, user_id)`,
    [realmId, members.map(({ groupId }) => groupId), members.map(({ userId }) => userId)],
  );
}

export async function insertGroupLinks(
  sql: Sql,
  realmId: number,
  links: readonly { groupId: number; subgroupId: number }[],
): Promise<void> {
  await sql.query(
    `insert into user_group_subgroup (realm_id, group_id, subgroup_id)
     select $1, group_id, subgroup_id from unnest($2::bigint[], $3::bigint[]) as row (group_id, subgroup_id)`,
    [realmId, links.map(({ groupId }) => groupId), links.map(({ subgroupId }) => subgroupId)],
  );
}

/** So that the next statements are planned for what there is now. */
export async function analyzeFilled(sql: Sql): Promise<void> {
  await sql.query(
    `analyze user_account, profile_value, user_group, user_group_member, user_group_subgroup, channel, subscription,
       subscription_interval`,
  );
}

/** Of the people in a large channel few write much. */
const MAX_INTERVALS = 200;

export function listFillPeople(sql: Sql, realmId: number): Promise<FillPerson[]> {
  return sql.query<FillPerson>(
    `select id, full_name as "fullName" from user_account where realm_id = $1 and is_active and not is_bot order by id`,
    [realmId],
  );
}

export async function listFillChannels(sql: Sql, realmId: number): Promise<FillChannel[]> {
  const rows = await sql.query<{
    id: number;
    version: number;
    users: number[];
    from: number[];
    to: number[];
  }>(
    `select c.id, c.subscription_version as version, i.users, i.from, i.to
     from channel c cross join lateral (
       select array_agg(first.user_id) as users, array_agg(first.from_version) as from,
         array_agg(coalesce(first.to_version, 0)) as to
       from (
         select user_id, from_version, to_version from subscription_interval
         where realm_id = $1 and channel_id = c.id order by from_version, user_id limit $2
       ) first
     ) i
     where c.realm_id = $1 and i.users is not null order by c.subscriber_count desc, c.id`,
    [realmId, MAX_INTERVALS],
  );
  return rows.map(({ id, version, users, from, to }) => ({
    id,
    subscriptionVersion: version,
    intervals: users.map((userId, index) => intervalOf(userId, from[index] as number, to[index] as number)),
  }));
}

/** No interval ends at version 0. */
function intervalOf(userId: number, fromVersion: number, toVersion: number): FillInterval {
  return { userId, fromVersion, ...(toVersion > 0 && { toVersion }) };
}
