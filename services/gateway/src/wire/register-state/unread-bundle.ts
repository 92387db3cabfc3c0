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
  recent_private_conversations: z
    .array(z.strictObject({ max_message_id: z.int(), user_ids: z.array(z.int()).describe('Without the caller.') }))
    .describe('The newest 1000, the one with the newest message first.'),
};

const RECENT_DIRECTS = 'recent_private_conversations';

/** Which parts of the messages' state a client asks for; undefined: none. */
export function wantedReadState(isWanted: (type: string) => boolean) {
  const [includesStarred, includesRecentDirects] = [isWanted('starred_messages'), isWanted(RECENT_DIRECTS)];
  if (!isWanted('message') && !includesStarred && !includesRecentDirects) return undefined;
  const includesUnread = isWanted('message') && isWanted('update_message_flags');
  return { includesUnread, includesStarred, includesRecentDirects };
}

export function publicReadState(
  { maxMessageId, unread, starredIds, recentDirects }: MessageState,
  isWanted: (type: string) => boolean,
  view: { userId: number; isEmptyTopicUnderstood: boolean },
) {
  return {
    ...(isWanted('message') && { max_message_id: maxMessageId }),
    ...(unread && { unread_msgs: publicUnread(unread, view) }),
    ...(isWanted('starred_messages') && { starred_messages: starredIds }),
    ...(isWanted(RECENT_DIRECTS) && {
      recent_private_conversations: recentDirects.map(({ maxMessageId: newestId, participantIds }) => ({
        max_message_id: newestId,
        user_ids: participantIds.filter((id) => id !== view.userId),
      })),
    }),
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
