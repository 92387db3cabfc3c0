import { onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';

type Author = Pick<Caller, 'realmId' | 'userId'>;
const COLUMNS = `realm_id as "realmId", id, user_id as "userId", channel_id as "channelId", recipient_ids as "recipientIds", topic,
  content, rendered_content as "renderedContent", deliver_at as "deliverAtMs", is_read_by_sender as "isReadBySender",
  client_name as "clientName", failure_message as "failureMessage", sent_message_id as "sentMessageId", revision`;
const STORED_MESSAGE = {
  realmId: z.number(),
  id: z.number(),
  userId: z.number(),
  channelId: z.number().nullable(),
  recipientIds: z.array(z.number()),
  topic: z.string(),
  content: z.string(),
  renderedContent: z.string(),
  deliverAtMs: z.number(),
  isReadBySender: z.boolean(),
  clientName: z.string(),
  failureMessage: z.string().nullable(),
  /** Null: not sent yet. */
  sentMessageId: z.number().nullable(),
  /** Changes with each edit. */
  revision: z.number(),
};

const LIST = statement(
  `select ${COLUMNS} from scheduled_message where realm_id = $1 and user_id = $2 and sent_message_id is null
   order by deliver_at, id`,
  STORED_MESSAGE,
);

export type StoredMessage = RowOf<typeof LIST>;
export type NewStoredMessage = Omit<StoredMessage, 'id' | 'failureMessage' | 'sentMessageId' | 'revision'>;
type MessageKey = Pick<StoredMessage, 'realmId' | 'id'>;

/** The user's unsent messages, by time. */
export function selectScheduledMessages(sql: Sql, { realmId, userId }: Author): Promise<StoredMessage[]> {
  return sql.query(LIST, [realmId, userId]);
}

const COUNT = statement(
  'select count(*) as count from scheduled_message where realm_id = $1 and user_id = $2 and sent_message_id is null',
  { count: z.number() },
);

/** The number of the user's unsent messages. */
export async function countScheduledMessages(sql: Sql, { realmId, userId }: Author): Promise<number> {
  return onlyRow(await sql.query(COUNT, [realmId, userId])).count;
}

const LIST_BY_KEY = statement(
  `select ${COLUMNS} from scheduled_message join unnest($1::bigint[], $2::bigint[]) as wanted (realm_id, id) using (realm_id, id)`,
  STORED_MESSAGE,
);

/** The existing ones of the messages. */
export function listScheduledMessagesByKey(sql: Sql, keys: readonly MessageKey[]): Promise<StoredMessage[]> {
  return sql.query(LIST_BY_KEY, columnsOf(keys));
}

export async function findScheduledMessage(sql: Sql, key: MessageKey): Promise<StoredMessage | null> {
  const [message] = await listScheduledMessagesByKey(sql, [key]);
  return message ?? null;
}

const LOCK = statement(`${LIST_BY_KEY.text} order by realm_id, id for update of scheduled_message`, STORED_MESSAGE);

/** Locks the messages until the transaction ends. */
export function lockScheduledMessages(tx: Transaction, keys: readonly MessageKey[]): Promise<StoredMessage[]> {
  return tx.query(LOCK, columnsOf(keys));
}

export async function lockScheduledMessage(tx: Transaction, key: MessageKey): Promise<StoredMessage | null> {
  const [message] = await lockScheduledMessages(tx, [key]);
  return message ?? null;
}

function columnsOf(keys: readonly MessageKey[]): number[][] {
  return [keys.map(({ realmId }) => realmId), keys.map(({ id }) => id)];
}

const INSERT = statement(
  `insert into scheduled_message (realm_id, user_id, channel_id, recipient_ids, topic, content, rendered_content, deliver_at,
     is_read_by_sender, client_name)
   values ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8::bigint / 1000.0), $9, $10) returning id`,
  { id: z.number() },
);

/** Returns the id. */
export async function insertScheduledMessage(tx: Transaction, message: NewStoredMessage): Promise<number> {
  const { realmId, userId, isReadBySender, clientName } = message;
  return onlyRow(await tx.query(INSERT, [realmId, userId, ...valuesOf(message), isReadBySender, clientName])).id;
}

const REPLACE = statement(
  `update scheduled_message set channel_id = $3, recipient_ids = $4, topic = $5, content = $6, rendered_content = $7,
     deliver_at = to_timestamp($8::bigint / 1000.0), client_name = $9, failure_message = null, revision = revision + 1
   where realm_id = $1 and id = $2`,
);

/** Replaces the content and clears the former failure. */
export async function replaceScheduledMessage(tx: Transaction, message: StoredMessage): Promise<void> {
  await tx.query(REPLACE, [message.realmId, message.id, ...valuesOf(message), message.clientName]);
}

function valuesOf(message: NewStoredMessage): unknown[] {
  const { channelId, recipientIds, topic, content, renderedContent, deliverAtMs } = message;
  return [channelId, recipientIds, topic, content, renderedContent, deliverAtMs];
}

const MARK_FAILED = statement('update scheduled_message set failure_message = $3 where realm_id = $1 and id = $2');

export async function markFailed(tx: Transaction, { realmId, id }: MessageKey, failureMessage: string): Promise<void> {
  await tx.query(MARK_FAILED, [realmId, id, failureMessage]);
}

const MARK_SENT = statement(
  `update scheduled_message s set sent_message_id = sent.message_id, content = '', rendered_content = ''
   from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as sent (realm_id, id, message_id)
   where s.realm_id = sent.realm_id and s.id = sent.id`,
);

/** `messageId`: the sent message. */
export async function markSent(tx: Transaction, sent: readonly (MessageKey & { messageId: number })[]): Promise<void> {
  await tx.query(MARK_SENT, [...columnsOf(sent), sent.map(({ messageId }) => messageId)]);
}

const DELETE = statement('delete from scheduled_message where realm_id = $1 and id = $2');

export async function deleteScheduledMessageRow(tx: Transaction, { realmId, id }: MessageKey): Promise<void> {
  await tx.query(DELETE, [realmId, id]);
}
