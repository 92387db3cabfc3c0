import type { Sql } from '@parley/shared/db';

export interface NewestOfTopic {
  id: number;
  senderId: number;
  content: string;
  sentAtMs: number;
}

/** The last message of a topic. */
export async function findNewestOfTopic(
  sql: Sql,
  realmId: number,
  conversationId: number,
): Promise<NewestOfTopic | null> {
  const [row] = await sql.query<NewestOfTopic>(
    `select id, sender_id as "senderId", content, sent_at as "sentAtMs" from message
     where realm_id = $1 and conversation_id = $2 order by id desc limit 1`,
    [realmId, conversationId],
  );
  return row ?? null;
}
