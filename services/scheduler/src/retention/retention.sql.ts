import type { RealmTable, Sql, Transaction } from '@parley/shared/db';

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

/** Answers how many messages and reminders there were. What a replica sends at this moment is gone all the same. */
export async function deleteScheduledOf(tx: Transaction, realmId: number, userId: number): Promise<number> {
  await tx.query('delete from request_key where realm_id = $1 and user_id = $2', [realmId, userId]);
  const rows = await tx.query(
    `with messages as (
       delete from scheduled_message where realm_id = $1 and user_id = $2 returning 'scheduled_message' as kind, id
     ), reminders as (
       delete from reminder where realm_id = $1 and user_id = $2 returning 'reminder' as kind, id
     ), gone as (
       select kind, id from messages union all select kind, id from reminders
     ), jobs as (
       delete from due_job j using gone where j.realm_id = $1 and j.kind = gone.kind and j.id = gone.id
     )
     select 1 from gone`,
    [realmId, userId],
  );
  return rows.length;
}
