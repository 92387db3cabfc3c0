import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import type { Pair, Properties } from './subscriptions.sql';

/** A channel's new version, and the users of the change. */
const VERSION_RAISED = { channelId: z.number(), version: z.number(), userIds: z.array(z.number()) };

export type VersionRaised = z.infer<z.ZodObject<typeof VERSION_RAISED>>;

const OPEN = statement(
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
   select raised.id as "channelId", raised.subscription_version as version, array_agg(joining.user_id) as "userIds"
   from raised join joining on joining.channel_id = raised.id
   group by raised.id, raised.subscription_version order by raised.id`,
  VERSION_RAISED,
);

/**
 * Raises the version of each channel by one and opens the subscriptions' intervals at it. The caller has locked the channels' rows and
 * names no present subscribers.
 */
export function openSubscriptions(
  sql: Sql,
  realmId: number,
  subscriptions: readonly (Pair & { properties: Pick<Properties, 'color'> })[],
): Promise<VersionRaised[]> {
  return sql.query(OPEN, [
    realmId,
    ...columnsOf(subscriptions),
    subscriptions.map(({ properties }) => properties.color),
  ]);
}

const CLOSE = statement(
  // NOTE: `limit 1` and row positions (ctid) force the planner to index lookups: without statistics it would compare every pair with
  // every interval. Intervals do not move while their channels' rows are locked.
  `with closed as (
     update subscription_interval i
     set to_version = (select c.subscription_version + 1 from channel c where c.realm_id = $1 and c.id = i.channel_id)
     where i.ctid = any(array(
       select found.ctid from unnest($2::bigint[], $3::bigint[]) as l (channel_id, user_id), lateral (
         select i.ctid from subscription_interval i where i.realm_id = $1 and i.channel_id = l.channel_id
           and i.user_id = l.user_id and i.to_version is null limit 1) found))
     returning i.channel_id, i.user_id
   ), left_by as (
     select channel_id, array_agg(user_id order by user_id) as user_ids from closed group by channel_id
   ), ended as (
     update subscription s set is_active = false
     from unnest($2::bigint[], $3::bigint[]) as l (channel_id, user_id)
     where $4 and s.realm_id = $1 and s.channel_id = l.channel_id and s.user_id = l.user_id
   ), raised as (
     update channel c
     set subscription_version = subscription_version + 1,
       subscriber_count = subscriber_count - cardinality(left_by.user_ids)
     from left_by where c.realm_id = $1 and c.id = left_by.channel_id
     returning c.id, c.subscription_version, left_by.user_ids
   )
   select id as "channelId", subscription_version as version, user_ids as "userIds" from raised order by id`,
  VERSION_RAISED,
);

/**
 * Raises the version of each channel by one and closes the subscriptions' intervals at it. `isForGood`: the subscriptions end, too;
 * otherwise openSubscriptions resumes them. The caller has locked the channels' rows.
 */
export function closeSubscriptions(
  sql: Sql,
  realmId: number,
  pairs: readonly Pair[],
  { isForGood }: { isForGood: boolean },
): Promise<VersionRaised[]> {
  return sql.query(CLOSE, [realmId, ...columnsOf(pairs), isForGood]);
}

function columnsOf(pairs: readonly Pair[]): [number[], number[]] {
  return [pairs.map(({ channelId }) => channelId), pairs.map(({ userId }) => userId)];
}
