import type { Transaction } from '@parley/shared/db';
import type { Channel, User } from '@parley/shared/proto';
import { NO_CHANNEL, type RealmSettings } from '@parley/shared/values';
import { announceNotice, type Notice } from '../notices/announce-notice';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import { announcementText, creationText } from './channel-notices';
import { channelEventsTopic } from './topics-policy';

const ANNOUNCEMENTS_TOPIC = 'new channels';

/**
 * Says in each new channel how it came about and, if that is wanted, tells the organization of those that are not private. To be
 * called last, like announceNotice().
 */
export async function announceNewChannels(
  tx: Transaction,
  author: User,
  channels: readonly Channel[],
  areAnnounced: boolean,
): Promise<void> {
  const settings = await loadRealmSettings(tx, author.realmId);
  const open = areAnnounced ? channels.filter(({ isPrivate }) => !isPrivate) : [];
  const notices = [...creationNotices(channels, author, settings), ...announcements(open, author, settings)];
  await announceNotice(tx, author.realmId, ...notices);
}

function creationNotices(channels: readonly Channel[], author: User, settings: Readonly<RealmSettings>): Notice[] {
  if (!settings.send_channel_events_messages) return [];
  return channels.map((channel) => ({
    from: 'notification-bot',
    to: { channelId: channel.id, topic: channelEventsTopic(channel) },
    content: creationText(channel, author),
    readByIds: [author.id],
  }));
}

function announcements(channels: readonly Channel[], author: User, settings: Readonly<RealmSettings>): Notice[] {
  const channelId = settings.new_stream_announcements_stream_id;
  if (channels.length === 0 || channelId === NO_CHANNEL) return [];
  return [
    {
      from: 'notification-bot',
      to: { channelId, topic: ANNOUNCEMENTS_TOPIC },
      content: announcementText(channels, author),
      readByIds: [author.id],
    },
  ];
}
