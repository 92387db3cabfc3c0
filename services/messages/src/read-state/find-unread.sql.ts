import { type Sql, statement } from '@parley/shared/db';
import type { Reader } from '../messages/permissions';
import { unreadMessages, unreadParameters, unreadValues } from './unread.sql';

export interface UnreadMessage {
  id: number;
  conversationId: number;
  /** Null for direct messages. */
  channelId: number | null;
}

export interface UnreadQuery {
  /** Only in these channels, and no direct messages. */
  channelIds?: number[];
  conversationIds?: number[];
  limit: number;
}

const FIND = statement(
  'find-unread',
  `select unread.id, unread.conversation_id as "conversationId", unread.channel_id as "channelId"
   from (${unreadMessages(unreadParameters(1), { conversationIds: '$7', nearest: { order: 'desc', limit: '$8' } })}) as unread
   where not $9::boolean or unread.channel_id is not null
   order by unread.id desc limit $8`,
);

/** The newest unread messages of the reader, newest first. */
export function findUnread(sql: Sql, reader: Reader, query: UnreadQuery): Promise<UnreadMessage[]> {
  const { channelIds, conversationIds = null, limit } = query;
  return sql.query(FIND, [...unreadValues(reader, channelIds), conversationIds, limit, channelIds !== undefined]);
}

const FIND_OF = `select unread.id from (${unreadMessages(unreadParameters(1))}) as unread
  where unread.sender_id = $7 order by unread.id desc limit $8`;

/** The newest unread messages that come from one user, at most so many. */
export async function findUnreadOf(sql: Sql, reader: Reader, senderId: number, limit: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(FIND_OF, [...unreadValues(reader), senderId, limit]);
  return rows.map(({ id }) => id);
}
