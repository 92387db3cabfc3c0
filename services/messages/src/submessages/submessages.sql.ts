import { onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import type { Submessage } from '@parley/shared/proto';
import { z } from 'zod';

const WIDGET_FACTS = {
  /** The content of the first submessage, which determines the widget; null: none. */
  firstContent: z.string().nullable(),
  /** The message's sender has added one. */
  hasSendersOwn: z.boolean(),
  /** Total size of all contents. */
  bytes: z.number(),
};

export type WidgetFacts = z.infer<z.ZodObject<typeof WIDGET_FACTS>>;

const LOAD_WIDGET_FACTS = statement(
  `select (select content from submessage where realm_id = $1 and message_id = $2 order by id limit 1) as "firstContent",
     exists (select from submessage where realm_id = $1 and message_id = $2 and sender_id = $3) as "hasSendersOwn",
     (select coalesce(sum(octet_length(content)), 0)::bigint from submessage where realm_id = $1 and message_id = $2) as bytes`,
  WIDGET_FACTS,
);

export async function loadWidgetFacts(
  sql: Sql,
  realmId: number,
  messageId: number,
  senderId: number,
): Promise<WidgetFacts> {
  return onlyRow(await sql.query(LOAD_WIDGET_FACTS, [realmId, messageId, senderId]));
}

const INSERT_SUBMESSAGE = statement(
  `insert into submessage (realm_id, message_id, sender_id, msg_type, content) values ($1, $2, $3, $4, $5) returning id`,
  { id: z.number() },
);

/** Returns its id. */
export async function insertSubmessage(
  tx: Transaction,
  realmId: number,
  { messageId, senderId, msgType, content }: Omit<Submessage, 'id'>,
): Promise<number> {
  return onlyRow(await tx.query(INSERT_SUBMESSAGE, [realmId, messageId, senderId, msgType, content])).id;
}
