import { type ArchivedTable, type ArchivePlan, archivedTables, type SharedTable } from '@parley/shared/archive';
import { type Sql, statement } from '@parley/shared/db';
import { JOB_KIND as REMINDER } from '../reminders/reminders';
import { TABLES } from '../retention/retention.sql';
import { JOB_KIND as SCHEDULED_MESSAGE } from '../scheduled-messages/scheduled-message';

/** Running calls of bots, idempotency keys, pending mails, addresses for replies and devices stay behind; jobs are created again by resumeImported(). */
const LEFT_OUT = [
  'due_job',
  'webhook_delivery',
  'webhook_bot',
  'request_key',
  'missed_message',
  'mail_job',
  'reply_address',
  'push',
  'push_device',
];

const DETAILS: readonly ArchivedTable[] = [{ table: 'scheduled_message', only: 't.sent_message_id is null' }];

/** Data of users who have consented. */
const SHARED: readonly SharedTable[] = [
  {
    table: 'scheduled_message',
    columns: ['id', 'user_id', 'channel_id', 'recipient_ids', 'topic', 'content', 'deliver_at'],
    only: 't.user_id = any($3) and t.sent_message_id is null',
  },
  {
    table: 'reminder',
    columns: ['id', 'user_id', 'message_id', 'content', 'deliver_at'],
    only: 't.user_id = any($3)',
  },
];

/** This service's part of an organization's archive. */
export const ARCHIVE: ArchivePlan = {
  complete: archivedTables(TABLES, LEFT_OUT, DETAILS),
  shared: SHARED,
  personal: SHARED,
};

const INSERT_MISSING_JOBS = statement(
  `insert into due_job (realm_id, kind, id, due_at)
   select realm_id, kind, id, greatest(deliver_at, to_timestamp($2 / 1000.0)) from (
     select realm_id, $3 as kind, id, deliver_at from scheduled_message
     where realm_id = $1 and sent_message_id is null and failure_message is null
     union all
     select realm_id, $4, id, deliver_at from reminder where realm_id = $1 and failure_message is null
   ) waiting
   on conflict do nothing`,
);

/** Creates the missing jobs of scheduled messages and reminders, due no earlier than a time. */
export async function insertMissingJobs(sql: Sql, realmId: number, fromMs: number): Promise<void> {
  await sql.query(INSERT_MISSING_JOBS, [realmId, fromMs, SCHEDULED_MESSAGE, REMINDER]);
}
