import { type Sql, statement } from '@parley/shared/db';
import type { Reader } from '../messages/permissions';
import { countedChannelIds } from './reading';
import { typedUnreadParameters, unreadMessages, unreadParameters, unreadValues } from './unread.sql';
import { isUnreadMessage } from './unread-message.sql';

/** What is unread in a topic or direct conversation. */
export interface UnreadPlace {
  conversationId: number;
  /** Null for direct messages. */
  channelId: number | null;
  /** Ascending. */
  messageIds: number[];
}

export interface UnreadQuery {
  /** Only in these channels, and no direct messages. */
  channelIds?: number[];
  conversationIds?: number[];
  /** Only these ids, both included. */
  fromId?: number;
  toId?: number;
  limit: number;
}

const FIND = statement(
  'find-unread',
  `select conversation_id as "conversationId", channel_id as "channelId", array_agg(id order by id) as "messageIds"
   from (
     select unread.id, unread.conversation_id, unread.channel_id
     from (${unreadMessages(unreadParameters(1), { conversationIds: '$7', fromId: '$9', toId: '$10' })}) as unread
     where not $11::boolean or unread.channel_id is not null limit $8
   ) as unread
   group by conversation_id, channel_id`,
);

/** Unread messages of the reader; no matter which, where there are more than the limit. */
export function findUnread(sql: Sql, reader: Reader, query: UnreadQuery): Promise<UnreadPlace[]> {
  const { channelIds, conversationIds = null, limit, fromId = 0, toId = Number.MAX_SAFE_INTEGER } = query;
  const bounds = [conversationIds, limit, fromId, toId, channelIds !== undefined];
  return sql.query(FIND, [...unreadValues(reader, channelIds), ...bounds]);
}

const FIND_OF = `select unread.id from (${unreadMessages(unreadParameters(1))}) as unread
  where unread.sender_id = $7 order by unread.id desc limit $8`;

/** The newest unread messages that come from one user, at most so many. */
export async function findUnreadOf(sql: Sql, reader: Reader, senderId: number, limit: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(FIND_OF, [...unreadValues(reader), senderId, limit]);
  return rows.map(({ id }) => id);
}

/** Null without messages. */
export async function findNewestId(sql: Sql, realmId: number): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>('select id from message where realm_id = $1 order by id desc limit 1', [
    realmId,
  ]);
  return row?.id ?? null;
}

/** What came to the channel, or from it to others, while its subscription version was below that. */
const CAME_BEFORE = `(m.sent_channel_id <> $7 or m.sent_version < $8)
    and (m.channel_id <> $7 or m.channel_id = m.sent_channel_id or m.moved_version < $8)`;

const [FORMER, NOW] = [typedUnreadParameters(1), typedUnreadParameters(10)];

const FIND_READ_BY_LEAVING = `select unread.id from (${unreadMessages(FORMER, { isInPlace: 'm.channel_id = $7' })}) unread
    join message m on m.realm_id = $1 and m.id = unread.id
  where ${CAME_BEFORE} limit $9`;

// What was sent to the channel and is in others now is looked for among what was moved to these.
const FIND_READ_ELSEWHERE = `select m.id from message m
  where m.realm_id = $1 and m.channel_id = any($5::bigint[]) and m.sent_channel_id <> m.channel_id and m.sent_channel_id = $7
    and ${CAME_BEFORE} and ${isUnreadMessage(FORMER)} and (${isUnreadMessage(NOW)}) is not true limit $9`;

/** A channel that was left, and the subscription version from which on the reader was out of it. */
export interface LeftChannel {
  channelId: number;
  version: number;
}

/** What was unread for the reader as they were in the channel, and is not now that they have left; ascending, at most so many. */
export async function findReadByLeaving(
  sql: Sql,
  former: Reader,
  now: Reader,
  { channelId, version }: LeftChannel,
  limit: number,
): Promise<number[]> {
  const left = [channelId, version, limit];
  const counted = countedChannelIds(former).filter((id) => id === channelId);
  const there = await sql.query<{ id: number }>(FIND_READ_BY_LEAVING, [...unreadValues(former, counted), ...left]);
  const values = [...unreadValues(former), ...left, ...unreadValues(now)];
  const elsewhere = await sql.query<{ id: number }>(FIND_READ_ELSEWHERE, values);
  return [...there, ...elsewhere].map(({ id }) => id).sort((a, b) => a - b);
}
