import type { Sql } from '@parley/shared/db';
import { SUBSCRIPTION_JSON } from './subscription-json.sql';
import type { Properties } from './subscriptions.sql';

export interface OwnSubscription {
  channelId: number;
  properties: Properties;
}

/** What the user is subscribed to that is not archived, by channel. */
export function listOwnSubscriptions(sql: Sql, realmId: number, userId: number): Promise<OwnSubscription[]> {
  return sql.query(
    `select c.id as "channelId", ${SUBSCRIPTION_JSON} as properties
     from subscription s join channel c on c.realm_id = s.realm_id and c.id = s.channel_id
     where s.realm_id = $1 and s.user_id = $2 and s.is_active and not c.is_archived order by c.id`,
    [realmId, userId],
  );
}

export interface HeldSubscription extends OwnSubscription {
  isArchived: boolean;
}

/** Those of the channels that the user is subscribed to, with what they have set; held against other changes of it. */
export function lockOwnSubscriptions(
  sql: Sql,
  realmId: number,
  userId: number,
  channelIds: readonly number[],
): Promise<HeldSubscription[]> {
  return sql.query(
    `select s.channel_id as "channelId", c.is_archived as "isArchived", ${SUBSCRIPTION_JSON} as properties
     from subscription s join channel c on c.realm_id = s.realm_id and c.id = s.channel_id
     where s.realm_id = $1 and s.user_id = $2 and s.channel_id = any($3) and s.is_active
     order by s.channel_id for no key update of s`,
    [realmId, userId, channelIds],
  );
}

export async function storeOwnSubscriptions(
  sql: Sql,
  realmId: number,
  userId: number,
  subscriptions: readonly OwnSubscription[],
): Promise<void> {
  const rows = subscriptions.map(({ channelId, properties }) => ({ channelId, ...properties }));
  await sql.query(
    `update subscription s set color = n.color, is_muted = n."isMuted", is_pinned = n."isPinned",
       desktop_notifications = n."desktopNotifications", audible_notifications = n."audibleNotifications",
       push_notifications = n."pushNotifications", email_notifications = n."emailNotifications",
       wildcard_mentions_notify = n."wildcardMentionsNotify"
     from json_to_recordset($3::json) as n ("channelId" bigint, color text, "isMuted" boolean, "isPinned" boolean,
       "desktopNotifications" boolean, "audibleNotifications" boolean, "pushNotifications" boolean,
       "emailNotifications" boolean, "wildcardMentionsNotify" boolean)
     where s.realm_id = $1 and s.user_id = $2 and s.channel_id = n."channelId"`,
    [realmId, userId, JSON.stringify(rows)],
  );
}
