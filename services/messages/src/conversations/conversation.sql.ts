import { type Sql, statement } from '@parley/shared/db';
import type { Context } from '../context';

const LIST_TOPICS = statement(
  'list-topics',
  `select id, channel_id as "channelId" from topic
   where realm_id = $1 and channel_id = any($2::bigint[]) and name_key = $3`,
);

export interface TopicPlace {
  id: number;
  channelId: number;
}

/** The topics with that key in those channels. */
export function listTopics(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
  nameKey: string,
): Promise<TopicPlace[]> {
  return sql.query(LIST_TOPICS, [realmId, channelIds, nameKey]);
}

/** The conversation of exactly those participants (ascending); null when they never talked. */
export async function findDirectConversation(
  { prisma }: Pick<Context, 'prisma'>,
  realmId: number,
  participantIds: readonly number[],
): Promise<number | null> {
  const found = await prisma.directConversation.findUnique({
    where: { realmId_participantIds: { realmId, participantIds: [...participantIds] } },
    select: { id: true },
  });
  return found && Number(found.id);
}

const LIST_DIRECT = statement(
  'list-direct-conversations',
  `select id from direct_conversation where realm_id = $1 and participant_ids @> array[$2::bigint]`,
);

/** Every direct conversation that the user takes part in. */
export async function listDirectConversations(sql: Sql, realmId: number, userId: number): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(LIST_DIRECT, [realmId, userId]);
  return rows.map(({ id }) => id);
}
