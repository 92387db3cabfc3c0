import { onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import type { JobKey } from '@parley/shared/jobs';
import type { Reminder } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';

type Author = Pick<Caller, 'realmId' | 'userId'>;
type ReminderKey = Pick<JobKey, 'realmId' | 'id'>;

/** A reminder before it is stored, with the user who will send it. */
export interface NewReminder extends Omit<Reminder, 'id' | 'hasFailed'> {
  botId: number;
}

const LIST = statement(
  `select id, user_id as "userId", message_id as "messageId", content, rendered_content as "renderedContent",
     deliver_at as "deliverAtMs", failure_message is not null as "hasFailed"
   from reminder where realm_id = $1 and user_id = $2 order by deliver_at, id`,
  {
    id: z.number(),
    userId: z.number(),
    messageId: z.number(),
    content: z.string(),
    renderedContent: z.string(),
    deliverAtMs: z.number(),
    hasFailed: z.boolean(),
  },
);

/** The user's reminders, by time. */
export function selectReminders(sql: Sql, { realmId, userId }: Author): Promise<Reminder[]> {
  return sql.query(LIST, [realmId, userId]);
}

const COUNT = statement('select count(*) as count from reminder where realm_id = $1 and user_id = $2', {
  count: z.number(),
});

export async function countReminders(sql: Sql, { realmId, userId }: Author): Promise<number> {
  return onlyRow(await sql.query(COUNT, [realmId, userId])).count;
}

const INSERT = statement(
  `insert into reminder (realm_id, user_id, bot_id, message_id, content, rendered_content, deliver_at)
   values ($1, $2, $3, $4, $5, $6, to_timestamp($7::bigint / 1000.0)) returning id`,
  { id: z.number() },
);

/** Returns the id. */
export async function insertReminder(tx: Transaction, realmId: number, reminder: NewReminder): Promise<number> {
  const { userId, botId, messageId, content, renderedContent, deliverAtMs } = reminder;
  const values = [realmId, userId, botId, messageId, content, renderedContent, deliverAtMs];
  return onlyRow(await tx.query(INSERT, values)).id;
}

const DUE_REMINDER = {
  ...{ realmId: z.number(), id: z.number(), userId: z.number(), botId: z.number(), messageId: z.number() },
  content: z.string(),
};

const LIST_BY_KEY = statement(
  `select r.realm_id as "realmId", r.id, r.user_id as "userId", r.bot_id as "botId", r.message_id as "messageId", r.content
   from reminder r join unnest($1::bigint[], $2::bigint[]) as wanted (realm_id, id) on r.realm_id = wanted.realm_id and r.id = wanted.id`,
  DUE_REMINDER,
);

export type DueReminder = RowOf<typeof LIST_BY_KEY>;

/** The existing ones of the reminders. */
export function listRemindersByKey(sql: Sql, keys: readonly ReminderKey[]): Promise<DueReminder[]> {
  return sql.query(LIST_BY_KEY, columnsOf(keys));
}

function columnsOf(keys: readonly ReminderKey[]): number[][] {
  return [keys.map(({ realmId }) => realmId), keys.map(({ id }) => id)];
}

const LOCK = statement(`${LIST_BY_KEY.text} order by r.realm_id, r.id for update of r`, DUE_REMINDER);
const DELETE_BY_KEY = statement(
  `delete from reminder r using unnest($1::bigint[], $2::bigint[]) as sent (realm_id, id)
   where r.realm_id = sent.realm_id and r.id = sent.id`,
);

/** Deletes reminders, locked in the order of their keys; returns those that were still there. */
export async function takeReminders(tx: Transaction, keys: readonly ReminderKey[]): Promise<DueReminder[]> {
  const present = await tx.query(LOCK, columnsOf(keys));
  await tx.query(DELETE_BY_KEY, columnsOf(present));
  return present;
}

const DELETE = statement('delete from reminder where realm_id = $1 and user_id = $2 and id = $3 returning id', {
  id: z.number(),
});

/** False when the user has no such reminder. */
export async function deleteReminderRow(tx: Transaction, { realmId, userId }: Author, id: number): Promise<boolean> {
  return (await tx.query(DELETE, [realmId, userId, id])).length > 0;
}

const MARK_FAILED = statement('update reminder set failure_message = $3 where realm_id = $1 and id = $2');

export async function markReminderFailed(tx: Transaction, { realmId, id }: ReminderKey, why: string): Promise<void> {
  await tx.query(MARK_FAILED, [realmId, id, why]);
}

const LIST_QUOTING = statement(
  `select realm_id as "realmId", id, message_id as "messageId", content from reminder
   where (realm_id, id) > ($1, $2) and rendered_content <> '' order by realm_id, id limit $3`,
  { realmId: z.number(), id: z.number(), messageId: z.number(), content: z.string() },
);

/** Reminders with the text of their message, after another one. */
export function listQuoting(sql: Sql, after: ReminderKey, limit: number): Promise<RowOf<typeof LIST_QUOTING>[]> {
  return sql.query(LIST_QUOTING, [after.realmId, after.id, limit]);
}

const FORGET_QUOTES = statement(
  `update reminder r set content = left_of.content, rendered_content = ''
   from unnest($1::bigint[], $2::bigint[], $3::text[]) as left_of (realm_id, id, content)
   where r.realm_id = left_of.realm_id and r.id = left_of.id`,
);

/** Replaces texts; they are rendered when they are shown. */
export async function forgetQuotes(sql: Sql, reminders: readonly (ReminderKey & { content: string })[]): Promise<void> {
  const columns = (['realmId', 'id', 'content'] as const).map((name) => reminders.map((each) => each[name]));
  await sql.query(FORGET_QUOTES, columns);
}
