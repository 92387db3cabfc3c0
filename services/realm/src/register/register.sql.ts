import type { Sql } from '@parley/shared/db';
import type { Channel, Subscription } from '@parley/shared/proto';
import { CHANNEL_JSON } from '../channels/channel-json.sql';

export interface ChannelWithSubscription {
  channel: Channel;
  isDefault: boolean;
  /** Null: the user never had one. */
  subscription: (Omit<Subscription, 'channel'> & { isActive: boolean }) | null;
}

/** Every channel of the organization, by id, with what the user has set for it. */
export function listChannelsWithSubscription(
  sql: Sql,
  realmId: number,
  userId: number,
): Promise<ChannelWithSubscription[]> {
  return sql.query(
    `select ${CHANNEL_JSON} as channel, c.is_default as "isDefault",
       case when s.user_id is not null then json_strip_nulls(json_build_object(
         'color', s.color, 'isMuted', s.is_muted, 'isPinned', s.is_pinned, 'isActive', s.is_active,
         'desktopNotifications', s.desktop_notifications, 'audibleNotifications', s.audible_notifications,
         'pushNotifications', s.push_notifications, 'emailNotifications', s.email_notifications,
         'wildcardMentionsNotify', s.wildcard_mentions_notify)) end as subscription
     from channel c
     left join subscription s on s.realm_id = c.realm_id and s.channel_id = c.id and s.user_id = $2
     where c.realm_id = $1 order by c.id`,
    [realmId, userId],
  );
}
