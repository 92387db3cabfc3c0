import { directMessageHref, messageHref } from '@parley/shared/markdown';
import type { Message } from '@parley/shared/proto';

type Linked = Pick<Message, 'id' | 'channelId' | 'channelName' | 'participants' | 'topic'>;

/** Where a message is. */
export function messageLink({ id, channelId, channelName, topic, participants }: Linked): string {
  if (channelId !== undefined) return messageHref({ id: channelId, name: channelName }, topic, String(id));
  const participantIds = participants.map((user) => user.id);
  return directMessageHref(participantIds, String(id));
}
