import { type Sql, statement } from '@parley/shared/db';

const LIST = statement(
  'list-shared-conversations',
  `select id from direct_conversation
   where realm_id = $1 and participant_ids @> array[$2::bigint, $3::bigint] and cardinality(participant_ids) >= $4`,
);

/** The direct conversations that two users take part in, with at least so many participants. */
export async function listSharedConversations(
  sql: Sql,
  realmId: number,
  userId: number,
  otherId: number,
  leastParticipants: number,
): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(LIST, [realmId, userId, otherId, leastParticipants]);
  return rows.map(({ id }) => id);
}
