import { announce } from '@parley/shared/bus';
import { noticeAnnounced } from '@parley/shared/events';
import { bold, channelLink } from '@parley/shared/notice-text';
import type { Channel } from '@parley/shared/proto';
import type { ChannelDestination, RequiredSendFacts } from '../access/destination';
import type { Context } from '../context';
import { markWarned } from './bot-warnings.sql';

const PAUSE_MS = 5 * 60_000;

/** Warns the owner of a bot that writes to a channel without subscribers; at most once in some minutes. */
export async function warnBotOwner(
  { db, clock }: Context,
  { realm, sender, channel, notificationBotId }: RequiredSendFacts,
  to: ChannelDestination,
): Promise<void> {
  const ownerId = sender.botOwnerId;
  // For the bot a hidden channel does not exist.
  const existing = channel?.isHidden ? null : channel?.channel;
  const hasReaders = existing && existing.subscriberCount > 0;
  const isSecret = existing && !channel?.hasContentAccess;
  if (ownerId === undefined || notificationBotId === undefined || hasReaders || isSecret) return;
  const nowMs = clock.now();
  const content = `Your bot \`${sender.email}\` tried to send a message to channel ${describe(to, existing)}`;
  await db.transaction(async (tx) => {
    if (!(await markWarned(tx, realm.id, sender.id, { nowMs, notSinceMs: nowMs - PAUSE_MS }))) return;
    const notice = { senderId: notificationBotId, to: { userIds: [ownerId] }, content, readByIds: [] };
    await announce(tx, noticeAnnounced(realm.id, notice));
  });
}

function describe({ channelId, channelName }: ChannelDestination, existing: Channel | null | undefined): string {
  if (existing) return `${channelLink(existing)}. The channel exists but does not have any subscribers.`;
  if (channelName !== undefined) return `#${bold(channelName)}, but that channel does not exist.`;
  return `ID ${channelId}, but there is no channel with that ID.`;
}
