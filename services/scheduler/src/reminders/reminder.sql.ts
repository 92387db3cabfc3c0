import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { JobKey } from '@parley/shared/jobs';
import type { Reminder } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';

type Author = Pick<Caller, 'realmId' | 'userId'>;
type ReminderKey = Pick<JobKey, 'realmId' | 'id'>;

/** A reminder before it is stored, and who will send it. */
export interface NewReminder extends Omit<Reminder, 'id' | 'hasFailed'> {
  botId: number;
}

const COLUMNS = `id, user_id as "userId", message_id as "messageId", content, rendered_content as "renderedContent",
  deliver_at as "deliverAtMs", failure_message is not null as "hasFailed"`;

/** A user's, by time. */
export function selectReminders(sql: Sql, { realmId, userId }: Author): Promise<Reminder[]> {
  return sql.query(`select ${COLUMNS} from reminder where realm_id = $1 and user_id = $2 order by deliver_at, id`, [
    realmId,
    userId,
  ]);
}

export async function countReminders(sql: Sql, { realmId, userId }: Author): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*) as count from reminder where realm_id = $1 and user_id = $2',
    [realmId, userId],
  );
  return row?.count ?? 0;
}

/** Answers its id. */
export async function insertReminder(tx: Transaction, realmId: number, reminder: NewReminder): Promise<number> {
  const { userId, botId, messageId, content, renderedContent, deliverAtMs } = reminder;
  const [row] = await tx.query<{ id: number }>(
    `insert into reminder (realm_id, user_id, bot_id, message_id, content, rendered_content, deliver_at)
     values ($1, $2, $3, $4, $5, $6, to_timestamp($7::bigint / 1000.0)) returning id`,
    [realmId, userId, botId, messageId, content, renderedContent, deliverAtMs],
  );
  return (row as { id: number }).id;
}

export interface DueReminder {
  userId: number;
  botId: number;
  messageId: number;
  content: string;
}

const FIND = statement(
  'find-reminder-to-send',
  'select user_id as "userId", bot_id as "botId", message_id as "messageId", content from reminder where realm_id = $1 and id = $2',
);

export async function findReminder(sql: Sql, { realmId, id }: ReminderKey): Promise<DueReminder | null> {
  const [row] = await sql.query<DueReminder>(FIND, [realmId, id]);
  return row ?? null;
}

/** False when the user has no such reminder. */
export async function deleteReminderRow(tx: Transaction, { realmId, userId }: Author, id: number): Promise<boolean> {
  const rows = await tx.query(DELETE, [realmId, userId, id]);
  return rows.length > 0;
}

const DELETE = statement(
  'delete-reminder',
  'delete from reminder where realm_id = $1 and user_id = $2 and id = $3 returning 1',
);

export async function markReminderFailed(tx: Transaction, { realmId, id }: ReminderKey, why: string): Promise<void> {
  await tx.query('update reminder set failure_message = $3 where realm_id = $1 and id = $2', [realmId, id, why]);
}
