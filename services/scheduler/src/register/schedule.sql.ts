import { onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import { messageShape, type Reminder, type ScheduledMessage } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';

const DELIVER_AT_MS = `'deliverAtMs', (extract(epoch from deliver_at) * 1000)::bigint`;
const FAILURE = `'hasFailed', failure_message is not null`;

const SCHEDULED_MESSAGE_JSON = `json_strip_nulls(json_build_object('id', id, 'channelId', channel_id, 'recipientIds', recipient_ids,
  'topic', topic, 'content', content, 'renderedContent', rendered_content, ${DELIVER_AT_MS}, ${FAILURE}))`;

const REMINDER_JSON = `json_build_object('id', id, 'userId', user_id, 'messageId', message_id, 'content', content,
  'renderedContent', rendered_content, ${DELIVER_AT_MS}, ${FAILURE})`;

const LOAD = statement(
  `select pg_current_snapshot()::text as snapshot,
     (select coalesce(json_agg(${SCHEDULED_MESSAGE_JSON} order by deliver_at, id), '[]') from scheduled_message
      where $3 and realm_id = $1 and user_id = $2 and sent_message_id is null) as "scheduledMessages",
     (select coalesce(json_agg(${REMINDER_JSON} order by deliver_at, id), '[]') from reminder
      where $4 and realm_id = $1 and user_id = $2) as reminders`,
  {
    snapshot: z.string(),
    scheduledMessages: z.array(messageShape<ScheduledMessage>('scheduler', 'ScheduledMessage')),
    reminders: z.array(messageShape<Reminder>('scheduler', 'Reminder')),
  },
);

interface WantedLists {
  includesScheduledMessages: boolean;
  includesReminders: boolean;
}

/** The wanted lists by time, and the snapshot of the statement that reads them. */
export async function loadSchedule(
  sql: Sql,
  { realmId, userId }: Pick<Caller, 'realmId' | 'userId'>,
  { includesScheduledMessages, includesReminders }: WantedLists,
): Promise<RowOf<typeof LOAD>> {
  return onlyRow(await sql.query(LOAD, [realmId, userId, includesScheduledMessages, includesReminders]));
}
