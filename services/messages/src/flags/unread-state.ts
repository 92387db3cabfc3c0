import type { Sql } from '@parley/shared/db';
import type { UnreadDirect, UnreadMessages, UnreadTopic } from '@parley/shared/proto';
import { topicKey } from '@parley/shared/values';
import type { Reader } from '../access/permissions';
import type { TopicPolicyRow } from '../conversations/topic-policies.sql';
import { type IsMuted, mutedTopics } from '../read-state/muted-topics';
import { findNewestUnread } from '../search/find-nearest-unread';
import { type ConversationRow, loadConversations } from '../search/find-unread.sql';
import { MAX_UNREAD } from './mark-as-read';
import { findMentions } from './mentions.sql';

/** The newest unread messages of the reader, by conversation. `policies`: the reader's. */
export async function loadUnreadState(
  sql: Sql,
  reader: Reader,
  policies: readonly TopicPolicyRow[],
): Promise<UnreadMessages> {
  const { places, hasOlder } = await findNewestUnread(sql, reader, { limit: MAX_UNREAD });
  const idsByConversation = new Map(places.map(({ conversationId, messageIds }) => [conversationId, messageIds]));
  const isMuted = mutedTopics(reader, policies);
  const [conversations, mentions] = await Promise.all([
    loadConversations(sql, reader.realm.id, places),
    findMentions(sql, reader, places),
  ]);
  const idsIn = ({ id }: ConversationRow) => idsByConversation.get(id) as number[];
  const muted = new Set(
    conversations.filter((conversation) => isMutedConversation(conversation, isMuted)).flatMap(idsIn),
  );
  const ids = places.flatMap(({ messageIds }) => messageIds);
  const isMentioning = (id: number) => mentions.personal.has(id) || (mentions.wildcard.has(id) && !muted.has(id));
  return {
    count: ids.length - muted.size,
    directs: directsOf(conversations, idsIn),
    topics: topicsOf(conversations, idsIn),
    mentionIds: ids.filter(isMentioning).sort((a, b) => a - b),
    hasOlder,
  };
}

function isMutedConversation({ channelId, topic }: ConversationRow, isMuted: IsMuted): boolean {
  return channelId !== null && topic !== null && isMuted(channelId, topic);
}

type IdsIn = (conversation: ConversationRow) => number[];

function directsOf(conversations: readonly ConversationRow[], idsIn: IdsIn): UnreadDirect[] {
  return conversations.flatMap((conversation) => {
    const { participantIds } = conversation;
    return participantIds ? [{ participantIds, messageIds: idsIn(conversation) }] : [];
  });
}

/** By channel, then by name in lower case. */
function topicsOf(conversations: readonly ConversationRow[], idsIn: IdsIn): UnreadTopic[] {
  const topics = conversations.flatMap((conversation) => {
    const { channelId, topic } = conversation;
    return channelId !== null && topic !== null ? [{ channelId, topic, messageIds: idsIn(conversation) }] : [];
  });
  return topics.sort((a, b) => a.channelId - b.channelId || compare(topicKey(a.topic), topicKey(b.topic)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
