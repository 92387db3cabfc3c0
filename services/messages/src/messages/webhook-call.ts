import type { WebhookCall } from '@parley/shared/events';
import type { Rendered } from '@parley/shared/markdown';
import type { User } from '@parley/shared/proto';
import { BOT_TYPES } from '@parley/shared/values';
import type { Facts, Place } from './compose-message';

type Mentioned = Pick<Facts, 'sender' | 'mentionedUsers' | 'mentionedGroups'>;

/** Whom a message calls that was just written; null: nobody. What bots write calls none: they would not end. */
export function webhookCallOf(
  { sender, mentionedUsers, mentionedGroups }: Mentioned,
  place: Place,
  { mentionedUserIds, mentionedGroupIds }: Pick<Rendered, 'mentionedUserIds' | 'mentionedGroupIds'>,
): WebhookCall | null {
  if (sender.isBot) return null;
  const isDirect = place.kind === 'direct';
  const named = isDirect ? place.participants : mentionedUsers.filter(({ id }) => mentionedUserIds.includes(id));
  const groups = isDirect ? [] : mentionedGroups.filter(({ id }) => mentionedGroupIds.includes(id));
  const botIds = named.filter(isWebhookBot).map(({ id }) => id);
  const groupMemberIds = [...new Set(groups.flatMap(({ memberIds }) => memberIds))];
  return botIds.length === 0 && groupMemberIds.length === 0 ? null : { botIds, groupMemberIds };
}

function isWebhookBot({ isBot, botType, isActive }: User): boolean {
  return isBot && botType === BOT_TYPES.outgoingWebhook && isActive;
}
