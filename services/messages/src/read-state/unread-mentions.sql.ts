import type { Sql } from '@parley/shared/db';
import { mentionsInTopic } from '../messages/message.sql';

export interface Mentions {
  /** By name or as members of a group. */
  personal: ReadonlySet<number>;
  wildcard: ReadonlySet<number>;
}

// What was not received mentions nobody.
const isReceived = (messageId: string) => `not exists (
  select from personal_flag f where f.realm_id = $1 and f.user_id = $2 and f.message_id = ${messageId} and f.is_historical)`;

/** Which messages mention a user, of those that are not older than the oldest of the given ones; mentions are few. */
export async function findMentions(
  sql: Sql,
  realmId: number,
  userId: number,
  messageIds: readonly number[],
): Promise<Mentions> {
  if (messageIds.length === 0) return { personal: new Set(), wildcard: new Set() };
  const rows = await sql.query<{ id: number; isPersonal: boolean }>(
    `select n.message_id as id, true as "isPersonal" from mention n
     where n.realm_id = $1 and n.user_id = $2 and n.message_id >= $3 and ${isReceived('n.message_id')}
     union all
     select m.id, false from message m
     where m.realm_id = $1 and (m.mentions_channel or m.mentions_topic) and (m.mentions_channel or ${mentionsInTopic('$2')})
       and m.id >= $3 and ${isReceived('m.id')}`,
    [realmId, userId, messageIds.reduce((a, b) => Math.min(a, b))],
  );
  const idsOf = (isPersonal: boolean) =>
    new Set(rows.filter((row) => row.isPersonal === isPersonal).map(({ id }) => id));
  return { personal: idsOf(true), wildcard: idsOf(false) };
}
