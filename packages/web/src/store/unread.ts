import { isSameNarrow, type Narrow } from '../narrow/narrow';
import { type ClientState, read } from './model';

export interface UnreadConversation {
  narrow: Extract<Narrow, { kind: 'topic' | 'direct' }>;
  count: number;
  newestId: number;
  hasMention: boolean;
}

const MUTED_TOPIC = 1;

/** Conversations with unread messages, those with the newest message first; muted ones are left out. */
export function unreadConversations(): UnreadConversation[] {
  const state = read('unread', 'channels');
  const { pms, huddles, streams, mentions } = state.unread_msgs;
  const mentioned = new Set(mentions);
  const describe = (narrow: UnreadConversation['narrow'], ids: readonly number[]) => ({
    narrow,
    count: ids.length,
    newestId: ids.at(-1) ?? 0,
    hasMention: ids.some((id) => mentioned.has(id)),
  });
  const conversations = [
    ...pms.map((each) => describe({ kind: 'direct', userIds: [each.other_user_id] }, each.unread_message_ids)),
    ...huddles.map((each) => {
      const userIds = each.user_ids_string
        .split(',')
        .map(Number)
        .filter((id) => id !== state.user_id);
      return describe({ kind: 'direct', userIds }, each.unread_message_ids);
    }),
    ...streams
      .filter((each) => !isMuted(state, each.stream_id, each.topic))
      .map((each) =>
        describe({ kind: 'topic', channelId: each.stream_id, topic: each.topic }, each.unread_message_ids),
      ),
  ];
  return conversations.sort((a, b) => b.newestId - a.newestId);
}

function isMuted({ user_topics, subscriptions }: ClientState, channelId: number, topic: string): boolean {
  const name = topic.toLowerCase();
  const policy = user_topics.find((each) => each.stream_id === channelId && each.topic_name.toLowerCase() === name);
  if (policy) return policy.visibility_policy === MUTED_TOPIC;
  return subscriptions.find(({ stream_id }) => stream_id === channelId)?.is_muted ?? false;
}

/** Of each channel, muted topics left out. */
export function unreadByChannel(): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { narrow, count } of unreadConversations()) {
    if (narrow.kind === 'topic') counts.set(narrow.channelId, (counts.get(narrow.channelId) ?? 0) + count);
  }
  return counts;
}

export function unreadIn(narrow: Narrow): number {
  return unreadConversations().find((each) => isSameNarrow(each.narrow, narrow))?.count ?? 0;
}
