import { onlyRow, type RealmTable, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

/** Tables with data of an organization. */
export const TABLES: readonly RealmTable[] = [
  { table: 'due_job' },
  { table: 'scheduled_message' },
  { table: 'reminder' },
  { table: 'webhook_delivery' },
  { table: 'webhook_bot' },
  { table: 'request_key' },
  { table: 'missed_message' },
  { table: 'mail_job' },
  { table: 'reply_address' },
  { table: 'push' },
  { table: 'push_device' },
  { table: 'digest_run' },
];

// A run in the future is of a clock that was wrong.
const IS_DUE = statement(
  `select done_at is null or done_at <= to_timestamp($1 / 1000.0) or done_at > to_timestamp($2 / 1000.0) as "isDue"
   from retention_run`,
  { isDue: z.boolean() },
);

/** True when no replica has run since then. */
export async function isRetentionDue(sql: Sql, sinceMs: number, nowMs: number): Promise<boolean> {
  return onlyRow(await sql.query(IS_DUE, [sinceMs, nowMs])).isDue;
}

const NOTE = statement('update retention_run set done_at = to_timestamp($1 / 1000.0)');

export async function noteRetention(sql: Sql, doneAtMs: number): Promise<void> {
  await sql.query(NOTE, [doneAtMs]);
}

const DELETE_ANSWERS = statement('delete from request_key where realm_id = $1 and user_id = $2');
const DELETE_MISSED = statement(
  `with messages as (
     delete from missed_message where realm_id = $1 and user_id = $2
   ), jobs as (
     delete from due_job where realm_id = $1 and kind = 'missed-mail' and id = $2
   )
   delete from mail_job where realm_id = $1 and content->>'userId' = $2::bigint::text`,
);
const DELETE_ADDRESSES = statement('delete from reply_address where realm_id = $1 and user_id = $2');
const DELETE_SCHEDULED = statement(
  `with messages as (
     delete from scheduled_message where realm_id = $1 and user_id = $2 returning 'scheduled_message' as kind, id
   ), reminders as (
     delete from reminder where realm_id = $1 and user_id = $2 returning 'reminder' as kind, id
   ), deleted as (
     select kind, id from messages union all select kind, id from reminders
   ), jobs as (
     delete from due_job j using deleted d where j.realm_id = $1 and j.kind = d.kind and j.id = d.id
   )
   select count(*) as count from deleted`,
  { count: z.number() },
);

/** Deletes and counts the organization's messages and reminders, including those being sent at this moment. */
export async function deleteScheduledOf(tx: Transaction, realmId: number, userId: number): Promise<number> {
  await tx.query(DELETE_ANSWERS, [realmId, userId]);
  await tx.query(DELETE_MISSED, [realmId, userId]);
  await tx.query(DELETE_ADDRESSES, [realmId, userId]);
  return onlyRow(await tx.query(DELETE_SCHEDULED, [realmId, userId])).count;
}
