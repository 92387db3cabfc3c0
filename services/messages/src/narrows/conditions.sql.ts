import { isInList } from '@parley/shared/db';
import type { Reader } from '../access/permissions';
import { mentionsInTopic } from '../messages/message.sql';
import { isUnreadMessage, UNREAD_TYPES, type UnreadParameters, unreadValues } from '../read-state/unread.sql';
import { type Bind, type Condition, multirange, type TextSearch } from './narrow';

/** The conditions of terms on a message `m`, as SQL. They read no other messages. */

export const isDirect: Condition = () => 'm.channel_id is null';

export function isNot(condition: Condition): Condition {
  return (bind) => `(${condition(bind)}) is not true`;
}

export function isAll(conditions: readonly Condition[]): Condition {
  return (bind) => conditions.map((condition) => `(${condition(bind)})`).join(' and ');
}

export function isAny(conditions: readonly Condition[]): Condition {
  if (conditions.length === 0) return () => 'false';
  return (bind) => `(${conditions.map((condition) => `(${condition(bind)})`).join(' or ')})`;
}

export function hasId(messageIds: readonly number[]): Condition {
  return (bind) => `m.id = any(${bind(messageIds, 'bigint[]')})`;
}

export function isInChannels(channelIds: readonly number[]): Condition {
  return (bind) => `m.channel_id = any(${bind(channelIds, 'bigint[]')})`;
}

export function isInConversations(conversationIds: readonly number[]): Condition {
  return (bind) => isOneOf(conversationIds, bind)('m.conversation_id');
}

/** Up to this number of ids, an index may lead to them, and comparing an id with each is fast. */
export const FEW_IDS = 64;

/** SQL for whether an id, itself SQL, is one of those, which are bound once. */
export function isOneOf(ids: readonly number[], bind: Bind): (id: string) => string {
  const list = bind(ids, 'bigint[]');
  return (id) => (ids.length <= FEW_IDS ? `${id} = any(${list})` : isInList(id, list));
}

export function isSentBy(userId: number): Condition {
  return (bind) => `m.sender_id = ${bind(userId, 'bigint')}`;
}

export const HAS: Record<string, string> = {
  link: 'm.has_link',
  image: 'm.has_image',
  attachment: 'm.has_attachment',
  reaction: 'exists (select from reaction r where r.realm_id = m.realm_id and r.message_id = m.id)',
};

/** `what` is an operand of `has:`. */
export function has(what: string): Condition {
  return () => HAS[what] as string;
}

/** Mentioned by name, as a member of a group, or by a wildcard; and the mention counts for the reader. */
export function mentionsReader(reader: Reader): Condition {
  const { userId } = reader;
  return (bind) =>
    `((m.mentions_channel or ${mentionsInTopic(bind(userId, 'bigint'))} or ${isMentioned(bind, userId)})
      and ${isAddressed(reader)(bind)})`;
}

/** As isAddressed() in permissions.ts, or the reader is a bot that got the message by a mention. */
export function isAddressed({ userId, channels }: Reader): Condition {
  const been = [...channels.values()].filter(({ intervals }) => intervals.length > 0);
  const ids = been.map(({ channelId }) => channelId);
  const versions = been.map(({ intervals }) => multirange(intervals));
  return (bind) => {
    const wasIn = (channelId: string, version: string) =>
      `coalesce((${bind(versions, 'int8multirange[]')})[array_position(${bind(ids, 'bigint[]')}, ${channelId})] @> ${version}, false)`;
    const called = `exists (select from personal_flag f where f.realm_id = m.realm_id and f.user_id = ${bind(userId, 'bigint')}
      and f.message_id = m.id and f.is_called)`;
    return `(m.channel_id is null or ${called} or ${wasIn('m.sent_channel_id', 'm.sent_version')}
      and (m.channel_id = m.sent_channel_id or ${wasIn('m.channel_id', 'm.moved_version')}))`;
  };
}

/** By name, and not silently. */
export function mentionsByName(userId: number): Condition {
  return (bind) => {
    const tag = bind(`<span class="user-mention" data-user-id="${userId}">`, 'text');
    return `(${isMentioned(bind, userId)} and position(${tag} in m.rendered_content) > 0)`;
  };
}

function isMentioned(bind: Bind, userId: number): string {
  return `exists (select from mention n
    where n.realm_id = m.realm_id and n.user_id = ${bind(userId, 'bigint')} and n.message_id = m.id)`;
}

export function isStarred(readerId: number): Condition {
  return (bind) => `exists (select from personal_flag f
    where f.realm_id = m.realm_id and f.user_id = ${bind(readerId, 'bigint')} and f.message_id = m.id and f.is_starred)`;
}

export function isUnread(reader: Reader): Condition {
  return (bind) => isUnreadMessage(unreadParametersOf(reader, bind));
}

/** `channelIds`: those where messages count as unread, unless all of them. */
export function unreadParametersOf(reader: Reader, bind: Bind, channelIds?: number[]): UnreadParameters {
  const values = unreadValues(reader, channelIds);
  const names = Object.entries(UNREAD_TYPES).map(([name, type], index) => [name, bind(values[index], type)]);
  return Object.fromEntries(names) as UnreadParameters;
}

/** The topic begins with that, the mark of the resolved ones for instance. */
export function isInTopicBeginningWith(prefix: string): Condition {
  return (bind) => `exists (select from topic t
    where t.realm_id = m.realm_id and t.id = m.conversation_id and starts_with(t.name, ${bind(prefix, 'text')}))`;
}

/** All words in the text or in the topic, and each phrase, literally, in one of them. */
export function says({ words, phrases }: TextSearch): Condition {
  return (bind) => [hasWords(bind, words), ...phrases.map((phrase) => hasPhrase(bind, phrase))].join(' and ');
}

function hasWords(bind: Bind, words: string): string {
  const { all, any } = queriesOf(bind, words);
  return `(m.search_vector @@ ${all} or exists (select from topic t
    where t.realm_id = m.realm_id and t.id = m.conversation_id and t.search_vector @@ ${any}
      and (m.search_vector || t.search_vector) @@ ${all}))`;
}

/** Words as queries: all of them, and any of them. Stop words are omitted; without other words nothing is found. */
export function queriesOf(bind: Bind, words: string): { all: string; any: string } {
  const all = `plainto_tsquery('english', ${bind(words, 'text')})`;
  return { all, any: `replace(${all}::text, ''' & ''', ''' | ''')::tsquery` };
}

function hasPhrase(bind: Bind, phrase: string): string {
  const sought = bind(phrase.toLowerCase(), 'text');
  return `(position(${sought} in lower(m.content)) > 0 or exists (select from topic t
    where t.realm_id = m.realm_id and t.id = m.conversation_id
      and position(${sought} in lower(coalesce(m.topic_name, t.name))) > 0))`;
}
