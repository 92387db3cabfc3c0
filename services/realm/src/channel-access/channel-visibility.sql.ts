import { composed, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { isAnyInReach } from '../membership/group-reach.sql';
import { standingOf } from '../membership/standing.sql';
import { SYSTEM_GROUP_VALUES } from '../membership/system-group-values.sql';
import { CONTENT_SETTINGS, CREATOR_SETTING, METADATA_SETTINGS } from './permissions';

/** Null: all of the organization. */
export interface VisibilityScope {
  userIds: readonly number[] | null;
  channelIds: readonly number[] | null;
}

const listed = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');
const SETTING_NAMES = listed(METADATA_SETTINGS);

const NOW_MS = '$4::bigint';

// NOTE: statements with it are planned for each call, as null means all. The rule is hasMetadataAccess() of permissions.ts, evaluated
// from channels to people. Groups are followed inwards, as few groups appear in settings. `reads` is hasContentAccess(). People who are
// named are looked up, and the others found by their role: all accounts are read only for a channel that nearly all of them see.
const SEEN = `with recursive person as not materialized (
    select u.id, u.role, ${standingOf('u', '$1', NOW_MS)} as standing from user_account u
    where u.realm_id = $1 and u.is_active and ($2::bigint[] is null or u.id = any($2))
  ), target as (
    select c.id, c.is_private, c.is_web_public, c.is_history_public, c.creator_id from channel c
    where c.realm_id = $1 and ($3::bigint[] is null or c.id = any($3))
  ), reach (channel_id, group_id, reads) as (
    select s.channel_id, s.group_id, s.name in (${listed(CONTENT_SETTINGS)}) from target join channel_group_setting s
      on s.realm_id = $1 and s.channel_id = target.id and s.name in (${SETTING_NAMES})
    where target.is_private
    union
    select reach.channel_id, inside.subgroup_id, reach.reads from reach join user_group_subgroup inside
      on inside.realm_id = $1 and inside.group_id = reach.group_id
  ), named (channel_id, user_id, reads) as (
    select reach.channel_id, m.user_id, reach.reads from reach join user_group_member m
      on m.realm_id = $1 and m.group_id = reach.group_id and ($2::bigint[] is null or m.user_id = any($2))
    union
    select target.id, target.creator_id, false from target
    where target.is_private and ($2::bigint[] is null or target.creator_id = any($2)) and not exists (
      select from channel_group_setting s
      where s.realm_id = $1 and s.channel_id = target.id and s.name = '${CREATOR_SETTING}')
  ), active (id) as (
    select u.id from (select distinct user_id from named) listed cross join lateral (
      select u.id from user_account u
      where u.realm_id = $1 and u.id = listed.user_id and u.is_active and u.role <> ${ROLES.guest} offset 0) u
  ), widest (channel_id, reads, standing) as (
    select reach.channel_id, reach.reads, max(system_group.widest_standing) from reach
    join user_group g on g.realm_id = $1 and g.id = reach.group_id and g.is_system
    join ${SYSTEM_GROUP_VALUES} on system_group.name = g.name and system_group.widest_standing is not null
    group by reach.channel_id, reach.reads
  ), seen_by_right (channel_id, user_id, reads) as (
    select target.id, person.id, not target.is_private from target join person on person.role <= ${ROLES.administrator}
    union
    select target.id, everybody.id, not target.is_private from target cross join lateral (
      select person.id from person where target.is_web_public or person.role <> ${ROLES.guest} offset 0) everybody
    where target.is_web_public or not target.is_private
    union
    select named.channel_id, active.id, named.reads from named join active on active.id = named.user_id
    union
    select widest.channel_id, held.id, widest.reads from widest cross join lateral (
      select person.id from person where person.standing <= widest.standing and person.role <> ${ROLES.guest} offset 0) held
  )`;

// Open intervals are those of active users.
const SUBSCRIBED = `select i.channel_id, i.user_id from target join subscription_interval i
    on i.realm_id = $1 and i.channel_id = target.id and i.to_version is null and ($2::bigint[] is null or i.user_id = any($2))`;

/**
 * SQL over a row of `channel` called `c`: the same rule, for one user and one channel. A bot also knows of the channels of its owner.
 * The arguments are SQL.
 */
export function isSeenBy(realmId: string, userId: string, nowMs: string): string {
  return `(c.is_web_public or exists (
    select from user_account v where v.realm_id = ${realmId} and v.id = ${userId} and (
      v.role <= ${ROLES.administrator} or (v.role <> ${ROLES.guest} and not c.is_private)
      or exists (select from subscription s where s.realm_id = ${realmId} and s.channel_id = c.id
        and s.user_id in (v.id, v.bot_owner_id) and s.is_active)
      or (v.role <> ${ROLES.guest} and (${isGrantedToCreator('v.id', realmId)}
        or ${isAnyInReach(realmId, settingGroups(realmId), 'select v.id', nowMs)})))))`;
}

function isGrantedToCreator(userId: string, realmId: string): string {
  return `(c.creator_id = ${userId} and not exists (select from channel_group_setting s
    where s.realm_id = ${realmId} and s.channel_id = c.id and s.name = '${CREATOR_SETTING}'))`;
}

function settingGroups(realmId: string): string {
  return `s.group_id from channel_group_setting s
    where s.realm_id = ${realmId} and s.channel_id = c.id and s.name in (${SETTING_NAMES})`;
}

// Guests see public channels only while they are subscribed.
const KEPT_BY_GUESTS = `select target.id, person.id, false, true from target
  join person on not target.is_private and person.role = ${ROLES.guest}`;

const idsWhere = (condition: string) =>
  `coalesce(array_agg(channel_id order by channel_id) filter (where ${condition}), '{}')`;

const LIST_VISIBILITY = composed(
  `${SEEN} select user_id as "userId", ${idsWhere('sees')} as "channelIds", ${idsWhere('keeps')} as "keptIds",
     ${idsWhere('remembers')} as "rememberedIds"
   from (
     select channel_id, user_id, bool_or(sees) as sees, bool_or(reads) as keeps,
       bool_or(sees and reads and (target.is_history_public or target.is_web_public)) as remembers
     from (
       select channel_id, user_id, true as sees, reads from seen_by_right
       union all select channel_id, user_id, true, true from (${SUBSCRIBED}) as subscriber
       union all ${KEPT_BY_GUESTS}
     ) one join target on target.id = one.channel_id
     group by channel_id, user_id
   ) seen
   group by user_id order by user_id`,
  {
    userId: z.number(),
    // Channels that the user may see.
    channelIds: z.array(z.number()),
    // Channels whose received messages the user can still read: keepsReceived() of the messages service; includes public channels that
    // guests left.
    keptIds: z.array(z.number()),
    // Channels whose whole history the user may read.
    rememberedIds: z.array(z.number()),
  },
);

/** A user's channels, by right. */
export type ChannelVisibility = Omit<RowOf<typeof LIST_VISIBILITY>, 'userId'>;

/** The channels that each active user sees, in one statement; users without any are left out. */
export function listVisibility(
  sql: Sql,
  realmId: number,
  { userIds, channelIds }: VisibilityScope,
  nowMs: number,
): Promise<RowOf<typeof LIST_VISIBILITY>[]> {
  return sql.query(LIST_VISIBILITY, [realmId, userIds, channelIds, nowMs]);
}

/** A channel, and the users asked about: channels without any are left out. */
const CHANNEL_USERS = { channelId: z.number(), userIds: z.array(z.number()) };
type ChannelUsers = z.infer<z.ZodObject<typeof CHANNEL_USERS>>;

const LIST_READERS_BY_RIGHT = composed(
  `${SEEN} select channel_id as "channelId", array_agg(distinct user_id) as "userIds" from seen_by_right where reads
   group by channel_id`,
  CHANNEL_USERS,
);

/** Active users who may read private channels by a permission, by channel. */
export async function listReadersByRight(
  sql: Sql,
  realmId: number,
  { userIds, channelIds }: VisibilityScope,
  nowMs: number,
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const rows = await sql.query(LIST_READERS_BY_RIGHT, [realmId, userIds, channelIds, nowMs]);
  return new Map(rows.map((row) => [row.channelId, new Set(row.userIds)]));
}

const LIST_UNSUBSCRIBED_VIEWERS = composed(
  `${SEEN} select channel_id as "channelId", array_agg(user_id order by user_id) as "userIds" from (
     select channel_id, user_id from seen_by_right
     except
     (${SUBSCRIBED})
   ) seen group by channel_id`,
  CHANNEL_USERS,
);

/** Active users who may see the private channels without a subscription. */
export function listUnsubscribedViewers(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  nowMs: number,
): Promise<ChannelUsers[]> {
  return sql.query(LIST_UNSUBSCRIBED_VIEWERS, [realmId, null, channelIds, nowMs]);
}

// NOTE: looked up guest by guest, which leaves the planner no way to read all subscriptions of the channels or of the organization.
const LIST_UNSUBSCRIBED_GUESTS = composed(
  `with guest (id) as (
     select u.id from user_account u where u.realm_id = $1 and u.role = ${ROLES.guest} and u.is_active
   ), inside (channel_id, guest_ids) as (
     select own.channel_id, array_agg(guest.id order by guest.id) from guest, lateral (
       select s.channel_id from subscription s
       where s.realm_id = $1 and s.user_id = guest.id and s.is_active and s.channel_id = any($2::bigint[]) offset 0) own
     group by own.channel_id
   )
   select array_agg(c.id) as "channelIds",
     array(select id from guest except select unnest(inside.guest_ids) order by id) as "userIds"
   from unnest($2::bigint[]) as c (id) left join inside on inside.channel_id = c.id
   group by inside.guest_ids`,
  { channelIds: z.array(z.number()), userIds: z.array(z.number()) },
);

/** Active guests who are not subscribed to the channels. Most channels are without the same guests, and share one list. */
export async function listUnsubscribedGuests(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
): Promise<ChannelUsers[]> {
  const rows = await sql.query(LIST_UNSUBSCRIBED_GUESTS, [realmId, channelIds]);
  return rows.flatMap((row) => row.channelIds.map((channelId) => ({ channelId, userIds: row.userIds })));
}

// Open intervals are those of active users, and their index has them in this order.
const LIST_SUBSCRIBER_IDS = statement(
  `select c.id as "channelId", subscribers.ids as "userIds" from unnest($2::bigint[]) as c (id), lateral (
     select array(select i.user_id from subscription_interval i
       where i.realm_id = $1 and i.channel_id = c.id and i.to_version is null order by i.user_id) as ids
   ) subscribers where subscribers.ids <> '{}'`,
  CHANNEL_USERS,
);

/** Active subscribers of the channels, by id. */
export function listSubscriberIds(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<ChannelUsers[]> {
  return sql.query(LIST_SUBSCRIBER_IDS, [realmId, channelIds]);
}

const LOCK_CHANNELS_SEEN_THROUGH = statement(
  `select c.id from channel c where c.realm_id = $1 and c.is_private and c.id = any(array(
     with recursive around (group_id) as (
       select $2::bigint
       union
       select s.group_id from around join user_group_subgroup s on s.realm_id = $1 and s.subgroup_id = around.group_id
     )
     select s.channel_id from around join channel_group_setting s
       on s.realm_id = $1 and s.group_id = around.group_id and s.name in (${SETTING_NAMES})
   )) order by c.id for no key update`,
  { id: z.number() },
);

/**
 * Ids of the private channels that members of the group, direct or not, may see because of it. Locked until the transaction ends, with their
 * subscribers: nobody is subscribed between two comparisons of who may see them.
 */
export async function lockChannelsSeenThrough(tx: Transaction, realmId: number, groupId: number): Promise<number[]> {
  const rows = await tx.query(LOCK_CHANNELS_SEEN_THROUGH, [realmId, groupId]);
  return rows.map(({ id }) => id);
}
