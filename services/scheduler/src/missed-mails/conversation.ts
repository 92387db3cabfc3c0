import { createHash } from 'node:crypto';
import type { Message } from '@parley/shared/proto';
import { topicKey } from '@parley/shared/values';

/** A short name of a message's conversation, the same for all of its messages. */
export function conversationOf({
  channelId,
  topic,
  participants,
}: Pick<Message, 'channelId' | 'topic' | 'participants'>): string {
  const place = channelId === undefined ? participants.map(({ id }) => id).join() : `${channelId}/${topicKey(topic)}`;
  return createHash('sha256').update(place).digest('base64url').slice(0, 22);
}
