import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import type { AccessedMessage } from '../messages/access-message';
import { afterParticipation, habitsOf } from './automatic-policy';
import { changeTopicPolicy } from './change-topic-policy';

/** Lets the user follow or unmute the topic in which they have just done something, if that is their habit; answers what is to be announced. */
export async function participate(
  tx: Transaction,
  { message, reader, user, settings }: AccessedMessage,
  nowMs: number,
): Promise<DomainEvent[]> {
  const { channelId, topic } = message;
  const channel = channelId === null ? undefined : reader.channels.get(channelId);
  if (!channel?.isSubscribed || user.isBot) return [];
  const habits = habitsOf(settings, channel.isMuted);
  if (afterParticipation(0, habits) === 0) return [];
  const next = (policy: number) => afterParticipation(policy, habits);
  return changeTopicPolicy(tx, { reader, channelId: channel.channelId, topic }, next, nowMs);
}
