import type { Sql } from '@parley/shared/db';
import type { UnreadDirect, UnreadMessages, UnreadTopic } from '@parley/shared/proto';
import { topicKey } from '@parley/shared/values';
import type { Reader } from '../messages/permissions';
import { type ConversationRow, loadConversations } from './conversations.sql';
import { findUnread, type UnreadMessage } from './find-unread.sql';
import { MAX_UNREAD } from './mark-unread';
import { type IsMuted, loadMutedTopics } from './muted-topics';
import { findMentions } from './unread-mentions.sql';

/** The newest unread messages of the reader, by conversation. */
export async function loadUnreadState(sql: Sql, reader: Reader): Promise<UnreadMessages> {
  const newestFirst = await findUnread(sql, reader, { limit: MAX_UNREAD });
  const messages = newestFirst.reverse();
  const idsByConversation = groupIds(messages);
  const [conversations, mentions, isMuted] = await Promise.all([
    loadConversations(sql, reader.realm.id, [...idsByConversation.keys()]),
    findMentions(sql, reader.realm.id, reader.userId, messages),
    loadMutedTopics(sql, reader),
  ]);
  const idsIn = ({ id }: ConversationRow) => idsByConversation.get(id) as number[];
  const muted = new Set(
    conversations.filter((conversation) => isMutedConversation(conversation, isMuted)).flatMap(idsIn),
  );
  const isMentioning = ({ id }: UnreadMessage) =>
    mentions.personal.has(id) || (mentions.wildcard.has(id) && !muted.has(id));
  return {
    count: messages.length - muted.size,
    directs: directsOf(conversations, idsIn),
    topics: topicsOf(conversations, idsIn),
    mentionIds: messages.filter(isMentioning).map(({ id }) => id),
    hasOlder: messages.length === MAX_UNREAD,
  };
}

function groupIds(messages: readonly UnreadMessage[]): Map<number, number[]> {
  const idsByConversation = new Map<number, number[]>();
  for (const { id, conversationId } of messages) {
    const ids = idsByConversation.get(conversationId);
    if (ids) ids.push(id);
    else idsByConversation.set(conversationId, [id]);
  }
  return idsByConversation;
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
