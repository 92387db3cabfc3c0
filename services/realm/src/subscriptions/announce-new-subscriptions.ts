import type { Transaction } from '@parley/shared/db';
import { channelLink, silentMention } from '@parley/shared/notice-text';
import type { Channel, User } from '@parley/shared/proto';
import { announceNotice } from '../notices/announce-notice';
import type { Pair } from './subscriptions.sql';

/** Tells people by a direct message that somebody else has subscribed them to channels, which were there before. */
export async function announceNewSubscriptions(
  tx: Transaction,
  actor: User,
  users: readonly User[],
  existing: readonly Channel[],
  subscribed: readonly Pair[],
): Promise<void> {
  const linkOf = new Map(existing.map((channel) => [channel.id, channelLink(channel)]));
  const people = new Set(users.filter(({ id, isBot }) => !isBot && id !== actor.id).map(({ id }) => id));
  const links = new Map<number, string[]>();
  for (const { channelId, userId } of subscribed) {
    const link = linkOf.get(channelId);
    if (link !== undefined && people.has(userId)) links.set(userId, [...(links.get(userId) ?? []), link]);
  }
  const receivers = new Map<string, number[]>();
  for (const [userId, own] of links) {
    const content = contentOf(actor, own);
    receivers.set(content, [...(receivers.get(content) ?? []), userId]);
  }
  const notices = [...receivers].map(([content, userIds]) => ({
    from: 'notification-bot' as const,
    to: { userIds },
    content,
    readByIds: [],
  }));
  await announceNotice(tx, actor.realmId, ...notices);
}

function contentOf(actor: User, links: readonly string[]): string {
  const who = silentMention(actor);
  if (links.length === 1) return `${who} subscribed you to ${links[0]}.`;
  return `${who} subscribed you to the following channels:\n\n${links.map((link) => `* ${link}`).join('\n')}`;
}
