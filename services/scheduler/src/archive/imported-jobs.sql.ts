import type { Sql } from '@parley/shared/db';

/** Jobs for what waits for its time, due no earlier than a time; answers how many were made. */
export async function insertMissingJobs(sql: Sql, realmId: number, fromMs: number): Promise<number> {
  const rows = await sql.query(
    `insert into due_job (realm_id, kind, id, due_at)
     select realm_id, kind, id, greatest(deliver_at, to_timestamp($2 / 1000.0)) from (
       select realm_id, 'scheduled_message' as kind, id, deliver_at from scheduled_message
       where realm_id = $1 and sent_message_id is null and failure_message is null
       union all
       select realm_id, 'reminder', id, deliver_at from reminder where realm_id = $1 and failure_message is null
     ) waiting
     on conflict do nothing returning 1`,
    [realmId, fromMs],
  );
  return rows.length;
}
