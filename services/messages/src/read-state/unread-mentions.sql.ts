import type { Sql } from '@parley/shared/db';
import { mentionsInTopic } from '../messages/message.sql';
import type { Reader } from '../messages/permissions';
import { isAddressed } from '../narrows/conditions.sql';

export interface Mentions {
  /** By name or as members of a group. */
  personal: ReadonlySet<number>;
  wildcard: ReadonlySet<number>;
}

/** Which messages mention a user, of those that are not older than the oldest of the given ones; mentions are few. */
export async function findMentions(sql: Sql, reader: Reader, messageIds: readonly number[]): Promise<Mentions> {
  if (messageIds.length === 0) return { personal: new Set(), wildcard: new Set() };
  const { realm, userId } = reader;
  const values: unknown[] = [realm.id, userId, messageIds.reduce((a, b) => Math.min(a, b))];
  const isForReader = isAddressed(reader)((value, type) => `$${values.push(value)}::${type}`);
  const rows = await sql.query<{ id: number; isPersonal: boolean }>(
    `select m.id, true as "isPersonal" from mention n join message m on m.realm_id = n.realm_id and m.id = n.message_id
     where n.realm_id = $1 and n.user_id = $2 and n.message_id >= $3 and ${isForReader}
     union all
     select m.id, false from message m
     where m.realm_id = $1 and (m.mentions_channel or m.mentions_topic) and (m.mentions_channel or ${mentionsInTopic('$2')})
       and m.id >= $3 and ${isForReader}`,
    values,
  );
  const idsOf = (isPersonal: boolean) =>
    new Set(rows.filter((row) => row.isPersonal === isPersonal).map(({ id }) => id));
  return { personal: idsOf(true), wildcard: idsOf(false) };
}
