import { BadRequestError } from '@parley/shared/errors';
import type { Channel, SendFacts, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { UserSettings } from '@parley/shared/values';
import { accessChannel, isReadBySender } from '../access/permissions';

type Settings = Pick<UserSettings, 'send_private_typing_notifications' | 'send_stream_typing_notifications'>;

/** Throws if the user has disabled typing notifications. */
export function checkTellsTyping(settings: Settings, isDirect: boolean): void {
  const isEnabled = isDirect ? settings.send_private_typing_notifications : settings.send_stream_typing_notifications;
  if (isEnabled) return;
  const kind = isDirect ? 'direct' : 'channel';
  throw new BadRequestError(`User has disabled typing notifications for ${kind} messages`);
}

/** The channel of the typing notification, if the sender may read it and post there; throws otherwise. */
export function accessTypedChannel(channelId: number, facts: SendFacts['channel']): Channel {
  if (!facts?.channel || facts.channel.isArchived || !isReadBySender(facts)) {
    throw new BadRequestError('Invalid channel ID');
  }
  return accessChannel({ channelId, channelName: undefined, topic: '' }, facts);
}

/** Throws unless all recipients exist, and the sender may see them. */
export function checkTypingRecipients(
  recipientIds: readonly number[],
  { recipients, direct }: { recipients: readonly User[]; direct?: SendFacts['direct'] },
): void {
  const ids = new Set(recipients.map(({ id }) => id));
  const unknown = recipientIds.find((id) => !ids.has(id));
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID ${unknown}`);
  if (direct && !direct.areRecipientsKnown) {
    throw new BadRequestError(REFUSAL.messages.recipientsHidden);
  }
}
