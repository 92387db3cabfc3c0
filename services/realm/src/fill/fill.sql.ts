import { composed, type Sql, statement } from '@parley/shared/db';
import type { FillChannel, FillInterval, FillPerson } from '@parley/shared/proto';
import { z } from 'zod';
import { renderedFrom } from '../base/rendered-from';

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

const INSERT_ACCOUNTS = statement(
  `insert into user_account (realm_id, delivery_email, email, full_name, full_name_key, role, is_bot, bot_type,
     bot_owner_id, is_active, timezone, created_at)
   select $1, email, email, full_name, full_name_key, role, bot_type is not null, bot_type, bot_owner_id, is_active,
     timezone, to_timestamp($2 / 1000.0) - days * interval '24 hours'
   from json_to_recordset($3::json) as row (email text, full_name text, full_name_key text, role smallint,
     bot_type smallint, bot_owner_id bigint, is_active boolean, timezone text, days integer)
   returning id, email`,
  { id: z.number(), email: z.string() },
);

/** Creates accounts and returns their ids, in order. Violates EMAIL_IS_UNIQUE when an address is taken. */
export async function insertAccounts(
  sql: Sql,
  realmId: number,
  nowMs: number,
  rows: readonly AccountRow[],
): Promise<number[]> {
  const made = await sql.query(INSERT_ACCOUNTS, [realmId, nowMs, JSON.stringify(rows)]);
  const idOf = new Map(made.map(({ id, email }) => [email, id]));
  return rows.map(({ email }) => idOf.get(email) as number);
}

const INSERT_KEYS = statement(
  `insert into api_key (realm_id, user_id, key_hash, created_at)
   select $1, id, sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), to_timestamp($3 / 1000.0)
   from unnest($2::bigint[]) as account (id)`,
);

/** A key for each account, which nobody knows. */
export async function insertUnknownKeys(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
  nowMs: number,
): Promise<void> {
  await sql.query(INSERT_KEYS, [realmId, userIds, nowMs]);
}

export interface PresenceOfFilled {
  userId: number;
  minutesAgo: number;
}

const INSERT_PRESENCES = statement(
  `with sequence as (
     insert into presence_sequence as s (realm_id, last_id) values ($1, cardinality($2::bigint[]))
     on conflict (realm_id) do update set last_id = s.last_id + excluded.last_id
     returning last_id
   )
   insert into user_presence (realm_id, user_id, active_at, connected_at, update_id)
   select $1, seen.id, seen.at, seen.at, sequence.last_id - cardinality($2::bigint[]) + seen.n from sequence, (
     select id, to_timestamp($4 / 1000.0) - minutes * interval '1 minute' as at, row_number() over (order by minutes desc, id) as n
     from unnest($2::bigint[], $3::int[]) as row (id, minutes)
   ) seen`,
);

/** When people were there last; the latest change is the latest in time. */
export async function insertPresences(
  sql: Sql,
  realmId: number,
  nowMs: number,
  presences: readonly PresenceOfFilled[],
): Promise<void> {
  const [userIds, minutes] = [presences.map(({ userId }) => userId), presences.map(({ minutesAgo }) => minutesAgo)];
  await sql.query(INSERT_PRESENCES, [realmId, userIds, minutes, nowMs]);
}

const FIND_FIRST_OWNER = statement(
  'select id from user_account where realm_id = $1 and role = 100 and is_active and not is_bot order by id limit 1',
  { id: z.number() },
);

/** The first owner. */
export async function findFirstOwner(sql: Sql, realmId: number): Promise<number | null> {
  const [row] = await sql.query(FIND_FIRST_OWNER, [realmId]);
  return row?.id ?? null;
}

const INSERT_PROFILE_VALUES = statement(
  `insert into profile_value (realm_id, user_id, field_id, value, rendered_value, rendered_from)
   select $1, user_id, $2, value, html, case when html is not null then ${renderedFrom('value')} end
   from unnest($3::bigint[], $4::text[], $5::text[]) as row (user_id, value, html)`,
);

export async function insertProfileValues(
  sql: Sql,
  realmId: number,
  fieldId: number,
  /** `html`: null where the value is not Markdown. */
  values: readonly { userId: number; value: string; html: string | null }[],
): Promise<void> {
  await sql.query(INSERT_PROFILE_VALUES, [
    realmId,
    fieldId,
    values.map(({ userId }) => userId),
    values.map(({ value }) => value),
    values.map(({ html }) => html),
  ]);
}

interface GroupRow {
  name: string;
  name_key: string;
  description: string;
}

const INSERT_GROUPS = statement(
  `insert into user_group (realm_id, name, name_key, description, creator_id, created_at)
   select $1, name, name_key, description, $2, to_timestamp($3 / 1000.0)
   from json_to_recordset($4::json) as row (name text, name_key text, description text)
   returning id, name`,
  { id: z.number(), name: z.string() },
);

/** Creates groups without members and returns their ids, in order. Violates user_group_name_is_unique when a name is taken. */
export async function insertGroups(
  sql: Sql,
  realmId: number,
  { creatorId, nowMs }: { creatorId: number; nowMs: number },
  rows: readonly GroupRow[],
): Promise<number[]> {
  const made = await sql.query(INSERT_GROUPS, [realmId, creatorId, nowMs, JSON.stringify(rows)]);
  const idOf = new Map(made.map(({ id, name }) => [name, id]));
  return rows.map(({ name }) => idOf.get(name) as number);
}

const INSERT_MEMBERS = statement(
  `insert into user_group_member (realm_id, group_id, user_id)
   select $1, group_id, user_id from unnest($2::bigint[], $3::bigint[]) as row (group_id, user_id)`,
);

export async function insertGroupMembers(
  sql: Sql,
  realmId: number,
  members: readonly { groupId: number; userId: number }[],
): Promise<void> {
  await sql.query(INSERT_MEMBERS, [
    realmId,
    members.map(({ groupId }) => groupId),
    members.map(({ userId }) => userId),
  ]);
}

const INSERT_LINKS = statement(
  `insert into user_group_subgroup (realm_id, group_id, subgroup_id)
   select $1, group_id, subgroup_id from unnest($2::bigint[], $3::bigint[]) as row (group_id, subgroup_id)`,
);

export async function insertGroupLinks(
  sql: Sql,
  realmId: number,
  links: readonly { groupId: number; subgroupId: number }[],
): Promise<void> {
  await sql.query(INSERT_LINKS, [
    realmId,
    links.map(({ groupId }) => groupId),
    links.map(({ subgroupId }) => subgroupId),
  ]);
}

const ANALYZE = statement(
  `analyze user_account, profile_value, user_group, user_group_member, user_group_subgroup, channel, subscription,
     subscription_interval, api_key, user_presence`,
);

/** Refreshes the planner's statistics. */
export async function analyzeFilled(sql: Sql): Promise<void> {
  await sql.query(ANALYZE);
}

/** Caps the writers of a channel: in large channels few people write much. */
const MAX_INTERVALS = 200;

const LIST_PEOPLE = composed(
  `select id, full_name as "fullName" from user_account where realm_id = $1 and is_active and not is_bot order by id`,
  { id: z.number(), fullName: z.string() },
);

export function listFillPeople(sql: Sql, realmId: number): Promise<FillPerson[]> {
  return sql.query(LIST_PEOPLE, [realmId]);
}

const LIST_CHANNELS = composed(
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
  {
    id: z.number(),
    version: z.number(),
    users: z.array(z.number()),
    from: z.array(z.number()),
    to: z.array(z.number()),
  },
);

export async function listFillChannels(sql: Sql, realmId: number): Promise<FillChannel[]> {
  const rows = await sql.query(LIST_CHANNELS, [realmId, MAX_INTERVALS]);
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
