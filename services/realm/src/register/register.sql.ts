import type { Sql } from '@parley/shared/db';
import { CHANNEL_JSON } from '../channels/channel-json.sql';
import type { StoredChannel } from '../channels/complete-channel';
import { SUBSCRIPTION_JSON } from '../subscriptions/subscription-json.sql';
import type { Properties } from '../subscriptions/subscriptions.sql';

export interface ChannelWithSubscription {
  channel: StoredChannel;
  isDefault: boolean;
  isSubscribed: boolean;
  /** Of the user's subscription, past or present; null: they never had one. */
  properties: Properties | null;
}

/** Every channel of the organization, by id, with what the user has set for it. */
export function listChannelsWithSubscription(
  sql: Sql,
  realmId: number,
  userId: number,
): Promise<ChannelWithSubscription[]> {
  return sql.query(
    `select ${CHANNEL_JSON} as channel, c.is_default as "isDefault",
       coalesce(s.is_active, false) as "isSubscribed",
       case when s.user_id is not null then ${SUBSCRIPTION_JSON} end as properties
     from channel c
     left join subscription s on s.realm_id = c.realm_id and s.channel_id = c.id and s.user_id = $2
     where c.realm_id = $1 order by c.id`,
    [realmId, userId],
  );
}

export interface SubscriptionState {
  channelId: number;
  isSubscribed: boolean;
  properties: Properties;
}

/** The user's subscriptions, past and present, by channel. */
export function listSubscriptionStates(sql: Sql, realmId: number, userId: number): Promise<SubscriptionState[]> {
  return sql.query(
    `select s.channel_id as "channelId", s.is_active as "isSubscribed", ${SUBSCRIPTION_JSON} as properties
     from subscription s where s.realm_id = $1 and s.user_id = $2 order by s.channel_id`,
    [realmId, userId],
  );
}
