import type { Sql, Transaction } from '@parley/shared/db';
import type { Submessage } from '@parley/shared/proto';

export interface WidgetFacts {
  /** The first submessage: what the message is; null when there is none. */
  firstContent: string | null;
  /** The message's sender has made one. */
  hasSendersOwn: boolean;
  /** Of the contents of all of them. */
  bytes: number;
}

export async function loadWidgetFacts(
  sql: Sql,
  realmId: number,
  messageId: number,
  senderId: number,
): Promise<WidgetFacts> {
  const [row] = await sql.query<WidgetFacts>(
    `select (select content from submessage where realm_id = $1 and message_id = $2 order by id limit 1) as "firstContent",
       exists (select from submessage where realm_id = $1 and message_id = $2 and sender_id = $3) as "hasSendersOwn",
       (select coalesce(sum(octet_length(content)), 0)::bigint from submessage where realm_id = $1 and message_id = $2) as bytes`,
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
