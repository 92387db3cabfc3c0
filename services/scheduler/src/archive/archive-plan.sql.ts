import { type ArchivedTable, type ArchivePlan, archivedTables, type SharedTable } from '@parley/shared/archive';
import { TABLES } from '../retention/retention.sql';

/** Calls of bots and first answers stay where they were begun; jobs are made anew of what is to be done, see resumeImported(). */
const LEFT_OUT = ['due_job', 'webhook_delivery', 'webhook_bot', 'request_key'];

const DETAILS: readonly ArchivedTable[] = [{ table: 'scheduled_message', only: 't.sent_message_id is null' }];

/** Of those who have consented. */
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

/** What of this service goes into an organization's archive. */
export const ARCHIVE: ArchivePlan = {
  complete: archivedTables(TABLES, LEFT_OUT, DETAILS),
  shared: SHARED,
  personal: SHARED,
};
