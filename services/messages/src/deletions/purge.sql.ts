import { type RealmTable, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

/** All tables of an organization except files (`attachment`, `upload_space`). */
export const TABLES: readonly RealmTable[] = [
  { table: 'mention' },
  { table: 'reaction' },
  { table: 'submessage' },
  { table: 'personal_flag' },
  { table: 'message_edit' },
  { table: 'topic_edit' },
  { table: 'attachment_link' },
  { table: 'message' },
  { table: 'archived_message' },
  { table: 'topic' },
  { table: 'direct_conversation' },
  { table: 'topic_policy' },
  { table: 'read_exception' },
  { table: 'channel_read_watermark' },
  { table: 'left_channel' },
  { table: 'archived_channel' },
  { table: 'muted_sender' },
  { table: 'read_watermark' },
  { table: 'first_history' },
  { table: 'send_key_policy' },
  { table: 'send_key' },
  { table: 'request_key' },
  { table: 'draft' },
  { table: 'draft_drop' },
  { table: 'saved_snippet' },
  { table: 'bot_warning' },
  { table: 'website_card' },
  { table: 'upload_quota' },
  { table: 'beginning_change' },
];

const END_UPLOADS = statement(
  `update attachment set expires_at = to_timestamp(0), kept_until = null
   where realm_id = $1 and id in (
     select id from attachment where realm_id = $1 and state in ('stored', 'incoming')
       and (expires_at is null or expires_at > to_timestamp($2 / 1000.0)) limit $3)
   returning id`,
  { id: z.number() },
);

/** Lets at most `limit` files expire; returns their number. */
export async function endUploads(sql: Sql, realmId: number, nowMs: number, limit: number): Promise<number> {
  const rows = await sql.query(END_UPLOADS, [realmId, nowMs, limit]);
  return rows.length;
}

/** A user's own rows: saved items, settings and read state. */
const PERSONAL_TABLES = [
  ...['draft', 'saved_snippet', 'draft_drop', 'personal_flag', 'topic_policy', 'read_watermark'],
  ...[
    'channel_read_watermark',
    'left_channel',
    'muted_sender',
    'read_exception',
    'first_history',
    'request_key',
    'upload_quota',
  ],
];

const DELETE_OF_USER = PERSONAL_TABLES.map((table) =>
  statement(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where realm_id = $1 and user_id = $2 limit $3)) returning 1 as deleted`,
    { deleted: z.literal(1) },
  ),
);

/** Returns the number of deleted rows; 0: none are left. */
export async function deletePersonalRows(sql: Sql, realmId: number, userId: number, limit: number): Promise<number> {
  for (const each of DELETE_OF_USER) {
    const rows = await sql.query(each, [realmId, userId, limit]);
    if (rows.length > 0) return rows.length;
  }
  return 0;
}

const LIST_SENT = statement(
  `select id, channel_id as "channelId" from message where realm_id = $1 and sender_id = $2 order by id desc limit $3`,
  { id: z.number(), channelId: z.number().nullable() },
);

export function listSent(
  sql: Sql,
  realmId: number,
  userId: number,
  limit: number,
): Promise<{ id: number; channelId: number | null }[]> {
  return sql.query(LIST_SENT, [realmId, userId, limit]);
}

export const LIST_ARCHIVED_OF = statement(
  `select message_id as id from archived_message
   where realm_id = $1 and (content #>> '{message,sender_id}')::bigint = $2 limit $3`,
  { id: z.number() },
);

/** The user's deleted messages that are not purged yet. */
export async function listArchivedOf(sql: Sql, realmId: number, userId: number, limit: number): Promise<number[]> {
  const rows = await sql.query(LIST_ARCHIVED_OF, [realmId, userId, limit]);
  return rows.map(({ id }) => id);
}

const FORGET_ARCHIVED = statement('delete from archived_message where realm_id = $1 and message_id = any($2)');

export async function purgeCopies(sql: Sql, realmId: number, messageIds: readonly number[]): Promise<void> {
  if (messageIds.length === 0) return;
  await sql.query(FORGET_ARCHIVED, [realmId, messageIds]);
}

const END_UNUSED_UPLOADS = statement(
  `update attachment a set expires_at = to_timestamp($3 / 1000.0), kept_until = null
   where a.realm_id = $1 and a.owner_id = $2 and a.state = 'stored'
     and (a.expires_at is null or a.expires_at > to_timestamp($3 / 1000.0))
     and not exists (select from attachment_link l where l.realm_id = a.realm_id and l.attachment_id = a.id)
   returning a.id`,
  { id: z.number() },
);

/** The user's files without a linking message: unreachable from now on; their bytes are deleted soon. */
export async function endUnusedUploads(sql: Sql, realmId: number, userId: number, nowMs: number): Promise<number> {
  const rows = await sql.query(END_UNUSED_UPLOADS, [realmId, userId, nowMs]);
  return rows.length;
}
