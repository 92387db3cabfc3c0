import { type Sql, statement } from '@parley/shared/db';
import type { VersionInterval } from '@parley/shared/proto';

export interface NewSubscription {
  channelId: number;
  userId: number;
  color: string;
}

export interface SubscriptionRecord extends NewSubscription {
  isActive: boolean;
}

/** What the users have, or had, with the channels. */
export function listSubscriptions(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<SubscriptionRecord[]> {
  return sql.query(
    `select channel_id as "channelId", user_id as "userId", color, is_active as "isActive"
     from subscription where realm_id = $1 and channel_id = any($2) and user_id = any($3)`,
    [realmId, channelIds, userIds],
  );
}

/** The colours of each user's subscriptions, past ones included; users without any are left out. */
export function listUsedColors(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<{ userId: number; colors: string[] }[]> {
  return sql.query(
    `select user_id as "userId", array_agg(distinct color) as colors
     from subscription where realm_id = $1 and user_id = any($2) group by user_id`,
    [realmId, userIds],
  );
}

const OPEN_SUBSCRIPTIONS = statement(
  'open-subscriptions',
  `with joining as (
     select channel_id, user_id, color from unnest($2::bigint[], $3::bigint[], $4::text[]) as j (channel_id, user_id, color)
   ), raised as (
     update channel c
     set subscription_version = subscription_version + 1, subscriber_count = subscriber_count + added.count
     from (select channel_id, count(*)::integer as count from joining group by channel_id) added
     where c.realm_id = $1 and c.id = added.channel_id
     returning c.id, c.subscription_version
   ), kept as (
     insert into subscription (realm_id, channel_id, user_id, color, is_active)
     select $1, channel_id, user_id, color, true from joining
     on conflict (realm_id, channel_id, user_id) do update set is_active = true, color = excluded.color
   ), opened as (
     insert into subscription_interval (realm_id, channel_id, user_id, from_version)
     select $1, joining.channel_id, joining.user_id, raised.subscription_version
     from joining join raised on raised.id = joining.channel_id
   )
   select raised.id as "channelId", raised.subscription_version as version, array_agg(joining.user_id) as "subscribedIds"
   from raised join joining on joining.channel_id = raised.id
   group by raised.id, raised.subscription_version order by raised.id`,
);

/**
 * Raises the version of each channel by one and lets the subscriptions begin at it. The caller holds the channels' rows and
 * names nobody who is subscribed already.
 */
export function openSubscriptions(
  sql: Sql,
  realmId: number,
  subscriptions: readonly NewSubscription[],
): Promise<{ channelId: number; version: number; subscribedIds: number[] }[]> {
  return sql.query(OPEN_SUBSCRIPTIONS, [
    realmId,
    subscriptions.map(({ channelId }) => channelId),
    subscriptions.map(({ userId }) => userId),
    subscriptions.map(({ color }) => color),
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
