import type { RealmTable, Sql } from '@parley/shared/db';

/** Everything that belongs to an organization but its files (`attachment`, `upload_space`). */
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
  { table: 'read_watermark' },
  { table: 'first_history' },
  { table: 'send_key' },
  { table: 'request_key' },
  { table: 'draft' },
  { table: 'draft_drop' },
  { table: 'saved_snippet' },
  { table: 'bot_warning' },
  { table: 'website_card' },
  { table: 'upload_quota' },
];

/** The time of at most `limit` files is up; answers of how many. */
export async function endUploads(sql: Sql, realmId: number, nowMs: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `update attachment set expires_at = to_timestamp(0), kept_until = null
     where realm_id = $1 and id in (
       select id from attachment where realm_id = $1 and state in ('stored', 'incoming')
         and (expires_at is null or expires_at > to_timestamp($2 / 1000.0)) limit $3)
     returning 1`,
    [realmId, nowMs, limit],
  );
  return rows.length;
}

export async function hasUploads(sql: Sql, realmId: number): Promise<boolean> {
  const rows = await sql.query('select 1 from attachment where realm_id = $1 limit 1', [realmId]);
  return rows.length > 0;
}

export async function forgetUploadSpace(sql: Sql, realmId: number): Promise<void> {
  await sql.query('delete from upload_space where realm_id = $1', [realmId]);
}
