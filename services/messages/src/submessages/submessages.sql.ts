import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { Submessage } from '@parley/shared/proto';

const LIST = statement(
  'list-submessages',
  `select id, message_id as "messageId", sender_id as "senderId", msg_type as "msgType", content
   from submessage where realm_id = $1 and message_id = any($2::bigint[]) order by id`,
);

/** Those of the messages, in the order in which they were made. */
export function listSubmessages(sql: Sql, realmId: number, messageIds: readonly number[]): Promise<Submessage[]> {
  return sql.query(LIST, [realmId, messageIds]);
}

export interface WidgetFacts {
  /** The first submessage: what the message is; null when there is none. */
  firstContent: string | null;
  /** The message's sender has made one. */
  hasSendersOwn: boolean;
}

export async function loadWidgetFacts(
  sql: Sql,
  realmId: number,
  messageId: number,
  senderId: number,
): Promise<WidgetFacts> {
  const [row] = await sql.query<WidgetFacts>(
    `select (select content from submessage where realm_id = $1 and message_id = $2 order by id limit 1) as "firstContent",
       exists (select from submessage where realm_id = $1 and message_id = $2 and sender_id = $3) as "hasSendersOwn"`,
    [realmId, messageId, senderId],
  );
  return row as WidgetFacts;
}

/** Answers its id. */
export async function insertSubmessage(
  tx: Transaction,
  realmId: number,
  { messageId, senderId, msgType, content }: Omit<Submessage, 'id'>,
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into submessage (realm_id, message_id, sender_id, msg_type, content) values ($1, $2, $3, $4, $5) returning id`,
    [realmId, messageId, senderId, msgType, content],
  );
  return (row as { id: number }).id;
}

/** For messages that are deleted. */
export async function deleteSubmessagesOf(
  tx: Transaction,
  realmId: number,
  messageIds: readonly number[],
): Promise<void> {
  await tx.query('delete from submessage where realm_id = $1 and message_id = any($2::bigint[])', [
    realmId,
    messageIds,
  ]);
}
