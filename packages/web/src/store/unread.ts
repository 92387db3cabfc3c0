import { computed } from '@preact/signals';
import type { Narrow } from '../narrow/narrow';
import { countUnread, type UnreadChannel, type UnreadConversation, unreadOf } from './count-unread';
import { read } from './model';
import { isTopicMuted } from './topic-policies';

export type { UnreadChannel, UnreadConversation } from './count-unread';

/** Counted once for each change, whoever asks. */
export const unread = computed(() => {
  const { unread_msgs, user_id, muted_users = [] } = read('unread', 'channels');
  const mutedIds = new Set(muted_users.map(({ id }) => id));
  return countUnread(unread_msgs, { userId: user_id, isTopicMuted, isPersonMuted: (id) => mutedIds.has(id) });
});

export function unreadInChannel(channelId: number): UnreadChannel | undefined {
  return unread.value.channels.get(channelId);
}

/** Unread messages of a topic or a direct conversation. */
export function unreadIn(narrow: Narrow): UnreadConversation | undefined {
  return unreadOf(unread.value, narrow);
}
