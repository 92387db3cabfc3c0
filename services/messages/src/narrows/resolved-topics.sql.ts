import { type Sql, statement } from '@parley/shared/db';
import { RESOLVED_TOPIC_PREFIX } from '@parley/shared/values';

const LIST = statement(
  'list-resolved-topics',
  `select id from topic
   where realm_id = $1 and channel_id = any($2::bigint[]) and starts_with(name, '${RESOLVED_TOPIC_PREFIX}') limit $3`,
);

/** The resolved topics of some channels; null when there are more than `most`. */
export async function listResolvedTopics(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  most: number,
): Promise<number[] | null> {
  const rows = await sql.query<{ id: number }>(LIST, [realmId, channelIds, most + 1]);
  return rows.length > most ? null : rows.map(({ id }) => id);
}
