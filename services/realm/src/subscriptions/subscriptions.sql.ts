import { type Sql, statement } from '@parley/shared/db';
import type { Subscription, VersionInterval } from '@parley/shared/proto';
import type { UserSettingName, UserSettings } from '@parley/shared/values';
import { SUBSCRIPTION_JSON } from './subscription-json.sql';

/** What a user has set for a channel. */
export type Properties = Omit<Subscription, 'channel'>;

/** A user and a channel. */
export interface Pair {
  channelId: number;
  userId: number;
}

export interface SubscriptionRecord extends Pair {
  isActive: boolean;
  properties: Properties;
}

/** What the users have, or had, with the channels. */
export function listSubscriptions(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<SubscriptionRecord[]> {
  return sql.query(
    `select s.channel_id as "channelId", s.user_id as "userId", s.is_active as "isActive", ${SUBSCRIPTION_JSON} as properties
     from subscription s where s.realm_id = $1 and s.channel_id = any($2) and s.user_id = any($3)`,
    [realmId, channelIds, userIds],
  );
}

/** What the users are subscribed to, active or suspended themselves. */
export function listSubscriptionsOf(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<(Pair & { properties: Properties })[]> {
  return sql.query(
    `select s.channel_id as "channelId", s.user_id as "userId", ${SUBSCRIPTION_JSON} as properties
     from subscription s where s.realm_id = $1 and s.user_id = any($2) and s.is_active order by s.user_id, s.channel_id`,
    [realmId, userIds],
  );
}

/** What users who are to be subscribed have chosen before. */
export interface ChoicesRow {
  userId: number;
  /** Of their subscriptions, past ones included. */
  colors: string[];
  /** What their accounts have chosen of the settings that were asked for. */
  chosen: Partial<UserSettings>;
}

/** What the users have chosen; those who have chosen nothing are left out. */
export function listChoices(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
  settingNames: readonly UserSettingName[],
): Promise<ChoicesRow[]> {
  return sql.query(
    `select user_id as "userId", coalesce(used.colors, '{}') as colors, coalesce(own.chosen, '{}') as chosen
     from (
       select user_id, array_agg(distinct color) as colors
       from subscription where realm_id = $1 and user_id = any($2) group by user_id
     ) used full join (
       select s.user_id, jsonb_object_agg(setting.key, setting.value) as chosen
       from user_settings s cross join jsonb_each(s.chosen) as setting
       where s.realm_id = $1 and s.user_id = any($2) and setting.key = any($3) group by s.user_id
     ) own using (user_id)`,
    [realmId, userIds, settingNames],
  );
}

/** Lets nobody else change who is subscribed to the channels, until the transaction ends. */
export async function holdSubscribers(sql: Sql, realmId: number, channelIds: readonly number[]): Promise<void> {
  await sql.query('select 1 from channel where realm_id = $1 and id = any($2) order by id for no key update', [
    realmId,
    channelIds,
  ]);
}

export interface SubscriberRow {
  version: number;
  /** Null: the channel never had a subscriber. */
  subscribers: { userId: number; intervals: VersionInterval[] }[] | null;
}

const FIND_SUBSCRIBERS = statement(
  'find-subscribers',
  `select c.subscription_version as version, (
     select json_agg(json_build_object('userId', s.user_id, 'intervals', s.intervals) order by s.user_id) from (
       select i.user_id, json_agg(json_strip_nulls(json_build_object(
         'fromVersion', i.from_version, 'toVersion', i.to_version)) order by i.from_version) as intervals
       from subscription_interval i where i.realm_id = c.realm_id and i.channel_id = c.id group by i.user_id
     ) s) as subscribers
   from channel c where c.realm_id = $1 and c.id = $2`,
);

/** A channel's subscribers of all times as of its version now: both of one moment. Null when there is no such channel. */
export async function findSubscribers(sql: Sql, realmId: number, channelId: number): Promise<SubscriberRow | null> {
  const [row] = await sql.query<SubscriberRow>(FIND_SUBSCRIBERS, [realmId, channelId]);
  return row ?? null;
}
