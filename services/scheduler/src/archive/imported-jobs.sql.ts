import type { Sql } from '@parley/shared/db';
import { JOB_KIND as REMINDER } from '../reminders/reminder-jobs';
import { JOB_KIND as SCHEDULED_MESSAGE } from '../scheduled-messages/scheduled-message';

/** Jobs for what waits for its time, due no earlier than a time. */
export async function insertMissingJobs(sql: Sql, realmId: number, fromMs: number): Promise<void> {
  await sql.query(
    `insert into due_job (realm_id, kind, id, due_at)
     select realm_id, kind, id, greatest(deliver_at, to_timestamp($2 / 1000.0)) from (
       select realm_id, $3 as kind, id, deliver_at from scheduled_message
       where realm_id = $1 and sent_message_id is null and failure_message is null
       union all
       select realm_id, $4, id, deliver_at from reminder where realm_id = $1 and failure_message is null
     ) waiting
     on conflict do nothing`,
    [realmId, fromMs, SCHEDULED_MESSAGE, REMINDER],
  );
}
