import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import type { AccessedMessage } from '../messages/access-message';
import { afterParticipation, habitsOf } from './automatic-policy';
import { changeTopicPolicy } from './change-topic-policy';

/** Whether it is the user's habit to follow or unmute the topics in which they do something, and this is one of them. */
export function mayFollowByTakingPart(accessed: AccessedMessage): boolean {
  const habits = habitsIn(accessed);
  return habits !== null && afterParticipation(0, habits) !== 0;
}

/** Lets the user follow or unmute the topic in which they have just done something, if that is their habit; answers what is to be announced. */
export async function participate(tx: Transaction, accessed: AccessedMessage, nowMs: number): Promise<DomainEvent[]> {
  const { message, reader } = accessed;
  const { channelId, topic } = message;
  const habits = habitsIn(accessed);
  if (habits === null || channelId === null || !mayFollowByTakingPart(accessed)) return [];
  const next = (policy: number) => afterParticipation(policy, habits);
  return changeTopicPolicy(tx, { reader, channelId, topic }, next, nowMs);
}

function habitsIn({ message: { channelId }, reader, user, settings }: AccessedMessage) {
  const channel = channelId === null ? undefined : reader.channels.get(channelId);
  return channel?.isSubscribed && !user.isBot ? habitsOf(settings, channel.isMuted) : null;
}
