import type { MessageState, UnreadDirect, UnreadMessages } from '@parley/shared/proto';
import { displayTopic } from '@parley/shared/values';
import { z } from 'zod';

const ids = z.array(z.int()).describe('Ascending.');

const unreadSchema = z.strictObject({
  count: z.int().describe('Of those that are not muted.'),
  pms: z.array(
    z.strictObject({ other_user_id: z.int(), sender_id: z.int().describe('Deprecated.'), unread_message_ids: ids }),
  ),
  streams: z.array(z.strictObject({ stream_id: z.int(), topic: z.string(), unread_message_ids: ids })),
  huddles: z.array(z.strictObject({ user_ids_string: z.string(), unread_message_ids: ids })),
  mentions: ids,
  old_unreads_missing: z.boolean(),
});

export const readStateFields = {
  max_message_id: z.int().describe('Deprecated.'),
  unread_msgs: unreadSchema,
  starred_messages: ids,
};

/** Which parts of the messages' state a client asks for; undefined: none. */
export function wantedReadState(isWanted: (type: string) => boolean) {
  const includesStarred = isWanted('starred_messages');
  if (!isWanted('message') && !includesStarred) return undefined;
  return { includesUnread: isWanted('message') && isWanted('update_message_flags'), includesStarred };
}

export function publicReadState(
  { maxMessageId, unread, starredIds }: MessageState,
  isWanted: (type: string) => boolean,
  view: { userId: number; isEmptyTopicUnderstood: boolean },
) {
  return {
    ...(isWanted('message') && { max_message_id: maxMessageId }),
    ...(unread && { unread_msgs: publicUnread(unread, view) }),
    ...(isWanted('starred_messages') && { starred_messages: starredIds }),
  };
}

function publicUnread(unread: UnreadMessages, view: { userId: number; isEmptyTopicUnderstood: boolean }) {
  const isGroup = ({ participantIds }: UnreadDirect) => participantIds.length > 2;
  const directs = unread.directs.filter((direct) => !isGroup(direct));
  return {
    count: unread.count,
    pms: directs
      .map(({ participantIds, messageIds }) => {
        // Whoever writes to themselves is the other user.
        const otherId = participantIds.find((id) => id !== view.userId) ?? view.userId;
        return { other_user_id: otherId, sender_id: otherId, unread_message_ids: messageIds };
      })
      .sort((a, b) => a.other_user_id - b.other_user_id),
    streams: unread.topics.map(({ channelId, topic, messageIds }) => ({
      stream_id: channelId,
      topic: displayTopic(topic, view.isEmptyTopicUnderstood),
      unread_message_ids: messageIds,
    })),
    huddles: unread.directs.filter(isGroup).map(({ participantIds, messageIds }) => ({
      user_ids_string: participantIds.join(','),
      unread_message_ids: messageIds,
    })),
    mentions: unread.mentionIds,
    old_unreads_missing: unread.hasOlder,
  };
}
