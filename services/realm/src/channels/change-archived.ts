import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { channelArchived } from '@parley/shared/events';
import type { Channel, User } from '@parley/shared/proto';
import { leaveDefaultChannelGroups } from '../default-channel-groups/leave-default-channel-groups';
import { announceDefaultChannels } from '../default-channels/announce-default-channels';
import { setIsDefault } from '../default-channels/default-channels.sql';
import { holdChannel } from '../default-channels/hold-channel';
import { announceNotice } from '../notices/announce-notice';
import { forgetChannel } from '../realms/forget-channel';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import { announceReturn } from './announce-return';
import { setIsArchived } from './change-channel.sql';
import { audienceOf } from './channel-audience';
import { archivedText, unarchivedText } from './channel-notices';
import { channelEventsTopic } from './topics-policy';

/**
 * Archives a channel or brings it back; the caller holds the organization's row and the channel's. Name, privacy, subscribers and
 * history stay, but nobody posts in an archived channel, and nothing of the organization leads to it.
 */
export async function changeArchived(
  tx: Transaction,
  author: User,
  channel: Channel,
  isArchived: boolean,
  nowMs: number,
): Promise<void> {
  const { realmId } = author;
  if (isArchived) refuseArchiving(channel);
  else refuseUnarchiving(channel);
  await setIsArchived(tx, realmId, channel.id, isArchived);
  const after = { ...channel, isArchived };
  const audience = await audienceOf(tx, realmId, after, nowMs);
  await announce(tx, channelArchived(realmId, { channel: after, audience, atMs: nowMs }));
  if (isArchived) await leadNowhere(tx, realmId, channel.id);
  else await announceReturn(tx, realmId, after, audience);
  await announceArchivedNotice(tx, author, after);
}

function refuseArchiving({ isArchived }: Channel): void {
  if (isArchived) throw new BadRequestError('Channel is already deactivated');
}

function refuseUnarchiving({ isArchived, isPrivate, subscriberCount }: Channel): void {
  if (!isArchived) throw new BadRequestError('Channel is not currently deactivated');
  if (isPrivate && subscriberCount === 0) throw new BadRequestError('Channel is private and have no subscribers');
}

async function leadNowhere(tx: Transaction, realmId: number, channelId: number): Promise<void> {
  const { isDefault } = await holdChannel(tx, realmId, channelId);
  if (isDefault) {
    await setIsDefault(tx, realmId, channelId, false);
    await announceDefaultChannels(tx, realmId);
  }
  await leaveDefaultChannelGroups(tx, realmId, channelId);
  await announce(tx, ...(await forgetChannel(tx, realmId, channelId)));
}

async function announceArchivedNotice(tx: Transaction, author: User, channel: Channel): Promise<void> {
  const { send_channel_events_messages: areWanted } = await loadRealmSettings(tx, author.realmId);
  if (!areWanted) return;
  await announceNotice(tx, author.realmId, {
    from: 'notification-bot',
    to: { channelId: channel.id, topic: channelEventsTopic(channel) },
    content: channel.isArchived ? archivedText(channel) : unarchivedText(channel),
    readByIds: [author.id],
    isAboutArchiving: channel.isArchived,
  });
}
