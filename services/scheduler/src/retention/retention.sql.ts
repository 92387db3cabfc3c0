import type { RealmTable, Sql } from '@parley/shared/db';

/** Everything that belongs to an organization. */
export const TABLES: readonly RealmTable[] = [
  { table: 'due_job' },
  { table: 'scheduled_message' },
  { table: 'reminder' },
  { table: 'webhook_delivery' },
  { table: 'webhook_bot' },
  { table: 'request_key' },
];

/** Nobody has done it since. */
export async function isRetentionDue(sql: Sql, sinceMs: number): Promise<boolean> {
  const rows = await sql.query(
    'select 1 from retention_run where done_at is null or done_at <= to_timestamp($1 / 1000.0)',
    [sinceMs],
  );
  return rows.length > 0;
}

export async function noteRetention(sql: Sql, doneAtMs: number): Promise<void> {
  await sql.query('update retention_run set done_at = to_timestamp($1 / 1000.0)', [doneAtMs]);
}
