import { type Sql, statement } from '@parley/shared/db';
import type { Reader } from '../messages/permissions';
import { unreadMessages, unreadParameters, unreadValues } from './unread.sql';

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

/** The last message that was sent to the channel before that subscription version; 0 without any. */
export async function findLastIdBefore(sql: Sql, realmId: number, channelId: number, version: number): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `select id from message where realm_id = $1 and sent_channel_id = $2 and sent_version < $3
     order by sent_version desc, id desc limit 1`,
    [realmId, channelId, version],
  );
  return row?.id ?? 0;
}
