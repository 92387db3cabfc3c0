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

const HAS_MESSAGES = `exists (select from message m where m.realm_id = c.realm_id and m.conversation_id = c.id)`;

/** Whether exactly those participants (ascending) have written to one another. */
export async function hasMessagesBetween(
  sql: Sql,
  realmId: number,
  participantIds: readonly number[],
): Promise<boolean> {
  const rows = await sql.query(
    `select c.id from direct_conversation c where c.realm_id = $1 and c.participant_ids = $2::bigint[] and ${HAS_MESSAGES}`,
    [realmId, participantIds],
  );
  return rows.length > 0;
}

/** Whether the channel has a topic with that key. */
export async function hasMessagesInTopic(
  sql: Sql,
  realmId: number,
  channelId: number,
  nameKey: string,
): Promise<boolean> {
  const rows = await sql.query(
    `select c.id from topic c where c.realm_id = $1 and c.channel_id = $2 and c.name_key = $3 and ${HAS_MESSAGES}`,
    [realmId, channelId, nameKey],
  );
  return rows.length > 0;
}
