import { composed, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { messageShape, type Subscriber, type Subscription, type User } from '@parley/shared/proto';
import type { UserSettingName } from '@parley/shared/values';
import { z } from 'zod';
import { USER, USER_JSON } from '../accounts/users.sql';
import { CHOSEN_SETTINGS } from '../base/chosen-settings';

/** A user's properties of a subscription. */
export type Properties = Omit<Subscription, 'channel'>;

/** A user and a channel. */
export interface Pair {
  channelId: number;
  userId: number;
}

/** SQL for a subscription's properties as JSON, from a row of `subscription` called `s`. */
export const SUBSCRIPTION_JSON = `json_strip_nulls(json_build_object(
  'color', s.color, 'isMuted', s.is_muted, 'isPinned', s.is_pinned,
  'desktopNotifications', s.desktop_notifications, 'audibleNotifications', s.audible_notifications,
  'pushNotifications', s.push_notifications, 'emailNotifications', s.email_notifications,
  'wildcardMentionsNotify', s.wildcard_mentions_notify))`;

/** The shape of SUBSCRIPTION_JSON. */
export const PROPERTIES = messageShape<Properties>('realm', 'Subscription');

const PROPERTY_COLUMNS = `color, is_muted, is_pinned, desktop_notifications, audible_notifications, push_notifications,
  email_notifications, wildcard_mentions_notify`;

/**
 * SQL for a user's subscriptions that meet a condition, as rows with `channel_ids`, `is_active` and the columns of SUBSCRIPTION_JSON: those of
 * most channels are the same, and JSON for each channel would take PostgreSQL several times as long. The arguments are SQL.
 */
export const alikeSubscriptions = (realmId: string, userId: string, condition = 'true') => `(
  select array_agg(channel_id) as channel_ids, is_active, ${PROPERTY_COLUMNS}
  from subscription s where s.realm_id = ${realmId} and s.user_id = ${userId} and ${condition}
  group by is_active, ${PROPERTY_COLUMNS})`;

const LIST = statement(
  `select s.channel_id as "channelId", s.user_id as "userId", s.is_active as "isActive", ${SUBSCRIPTION_JSON} as properties
   from subscription s where s.realm_id = $1 and s.channel_id = any($2) and s.user_id = any($3)`,
  { channelId: z.number(), userId: z.number(), isActive: z.boolean(), properties: PROPERTIES },
);

export type SubscriptionRecord = RowOf<typeof LIST>;

/** Present and former subscriptions of the users to the channels. */
export function listSubscriptions(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<SubscriptionRecord[]> {
  return sql.query(LIST, [realmId, channelIds, userIds]);
}

const LIST_OF_USERS = statement(
  `select s.channel_id as "channelId", s.user_id as "userId", ${SUBSCRIPTION_JSON} as properties
   from subscription s where s.realm_id = $1 and s.user_id = any($2) and s.is_active order by s.user_id, s.channel_id`,
  { channelId: z.number(), userId: z.number(), properties: PROPERTIES },
);

/** Subscriptions of the users, active or deactivated. */
export function listSubscriptionsOf(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<RowOf<typeof LIST_OF_USERS>[]> {
  return sql.query(LIST_OF_USERS, [realmId, userIds]);
}

const LIST_CHOICES = composed(
  `select user_id as "userId", coalesce(used.colors, '{}') as colors, coalesce(own.chosen, '{}') as chosen
   from (
     select user_id, array_agg(distinct color) as colors
     from subscription where realm_id = $1 and user_id = any($4) group by user_id
   ) used full join (
     select s.user_id, jsonb_object_agg(setting.key, setting.value) as chosen
     from user_settings s cross join jsonb_each(s.chosen) as setting
     where s.realm_id = $1 and s.user_id = any($2) and setting.key = any($3) group by s.user_id
   ) own using (user_id)`,
  {
    userId: z.number(),
    // Present and former subscriptions.
    colors: z.array(z.string()),
    // The accounts' values of the requested settings.
    chosen: CHOSEN_SETTINGS,
  },
);

/** Earlier choices of users who will be subscribed. */
export type ChoicesRow = RowOf<typeof LIST_CHOICES>;

/** The users' choices of settings, and of colours those of `coloredIds`; users without any are left out. */
export function listChoices(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
  settingNames: readonly UserSettingName[],
  coloredIds: readonly number[] = [],
): Promise<ChoicesRow[]> {
  return sql.query(LIST_CHOICES, [realmId, userIds, settingNames, coloredIds]);
}

const HOLD_SUBSCRIBERS = statement(
  'select from channel where realm_id = $1 and id = any($2) order by id for no key update',
  {},
);

/** Locks the channels' subscribers against changes until the transaction ends. */
export async function holdSubscribers(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<void> {
  await sql.query(HOLD_SUBSCRIBERS, [realmId, channelIds]);
}

/** Lists the users' subscriptions, active or deactivated, and locks the subscribers of those channels (holdSubscribers). */
export async function holdSubscriptionsOf(
  tx: Transaction,
  realmId: number,
  userIds: readonly number[],
): Promise<RowOf<typeof LIST_OF_USERS>[]> {
  const subscriptions = await listSubscriptionsOf(tx, realmId, userIds);
  const channelIds = new Set(subscriptions.map(({ channelId }) => channelId));
  await holdSubscribers(tx, realmId, [...channelIds]);
  return subscriptions;
}

const FIND_SUBSCRIBERS = statement(
  `select c.subscription_version as version, (
     select json_agg(json_build_object('userId', s.user_id, 'intervals', s.intervals) order by s.user_id) from (
       select i.user_id, json_agg(json_strip_nulls(json_build_object(
         'fromVersion', i.from_version, 'toVersion', i.to_version)) order by i.from_version) as intervals
       from subscription_interval i where i.realm_id = c.realm_id and i.channel_id = c.id group by i.user_id
     ) s) as subscribers
   from channel c where c.realm_id = $1 and c.id = $2`,
  {
    version: z.number(),
    // Null: never a subscriber.
    subscribers: z.array(messageShape<Subscriber>('realm', 'Subscriber')).nullable(),
  },
);

/** A channel's version with its present and former subscribers, from one snapshot; null when there is no such channel. */
export async function findSubscribers(
  sql: Sql,
  realmId: number,
  channelId: number,
): Promise<RowOf<typeof FIND_SUBSCRIBERS> | null> {
  const [row] = await sql.query(FIND_SUBSCRIBERS, [realmId, channelId]);
  return row ?? null;
}

const LIST_OWN = statement(
  `select c.id as "channelId", ${SUBSCRIPTION_JSON} as properties
   from subscription s join channel c on c.realm_id = s.realm_id and c.id = s.channel_id
   where s.realm_id = $1 and s.user_id = $2 and s.is_active and not c.is_archived order by c.id`,
  { channelId: z.number(), properties: PROPERTIES },
);

export type OwnSubscription = RowOf<typeof LIST_OWN>;

/** The user's subscriptions to active channels, by channel. */
export function listOwnSubscriptions(sql: Sql, realmId: number, userId: number): Promise<OwnSubscription[]> {
  return sql.query(LIST_OWN, [realmId, userId]);
}

const LIST_OWN_ALIKE = statement(
  `select s.channel_ids as "channelIds", ${SUBSCRIPTION_JSON} as properties
   from ${alikeSubscriptions(
     '$1',
     '$2',
     `s.is_active and not exists (
       select from channel c where c.realm_id = s.realm_id and c.id = s.channel_id and c.is_archived)`,
   )} s`,
  { channelIds: z.array(z.number()), properties: PROPERTIES },
);

/** The same, those with the same properties together. */
export function listOwnAlike(sql: Sql, realmId: number, userId: number): Promise<RowOf<typeof LIST_OWN_ALIKE>[]> {
  return sql.query(LIST_OWN_ALIKE, [realmId, userId]);
}

const LOCK_OWN = statement(
  `select s.channel_id as "channelId", c.is_archived as "isArchived", ${SUBSCRIPTION_JSON} as properties
   from subscription s join channel c on c.realm_id = s.realm_id and c.id = s.channel_id
   where s.realm_id = $1 and s.user_id = $2 and s.channel_id = any($3) and s.is_active
   order by s.channel_id for no key update of s`,
  { channelId: z.number(), isArchived: z.boolean(), properties: PROPERTIES },
);

export type LockedSubscription = RowOf<typeof LOCK_OWN>;

/** The user's subscriptions to the channels, locked. */
export function lockOwnSubscriptions(
  sql: Sql,
  realmId: number,
  userId: number,
  channelIds: readonly number[],
): Promise<LockedSubscription[]> {
  return sql.query(LOCK_OWN, [realmId, userId, channelIds]);
}

const STORE_OWN = statement(
  `update subscription s set color = n.color, is_muted = n."isMuted", is_pinned = n."isPinned",
     desktop_notifications = n."desktopNotifications", audible_notifications = n."audibleNotifications",
     push_notifications = n."pushNotifications", email_notifications = n."emailNotifications",
     wildcard_mentions_notify = n."wildcardMentionsNotify"
   from json_to_recordset($3::json) as n ("channelId" bigint, color text, "isMuted" boolean, "isPinned" boolean,
     "desktopNotifications" boolean, "audibleNotifications" boolean, "pushNotifications" boolean,
     "emailNotifications" boolean, "wildcardMentionsNotify" boolean)
   where s.realm_id = $1 and s.user_id = $2 and s.channel_id = n."channelId"`,
);

export async function storeOwnSubscriptions(
  sql: Sql,
  realmId: number,
  userId: number,
  subscriptions: readonly OwnSubscription[],
): Promise<void> {
  const rows = subscriptions.map(({ channelId, properties }) => ({ channelId, ...properties }));
  await sql.query(STORE_OWN, [realmId, userId, JSON.stringify(rows)]);
}

const holding = (condition: string) =>
  statement(
    `select ${USER_JSON} as user from user_account u where u.realm_id = $1 and ${condition} order by u.id for share of u`,
    { user: USER },
  );
const HOLD_BY_IDS = holding('u.id = any($2)');
const HOLD_BY_EMAILS = holding('lower(u.email) = any($2::text[])');

/** The existing users of the ids or API addresses (in lower case), by id; locked against deactivation until the transaction ends. */
export async function holdUsers(
  sql: Sql,
  realmId: number,
  { ids, emails }: { ids: readonly number[]; emails: readonly string[] },
): Promise<User[]> {
  const rows = await (ids.length > 0
    ? sql.query(HOLD_BY_IDS, [realmId, ids])
    : sql.query(HOLD_BY_EMAILS, [realmId, emails]));
  return rows.map(({ user }) => user);
}
