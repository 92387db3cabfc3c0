import type { Sql } from '@parley/shared/db';

/** A topic, or a direct conversation. */
export interface ConversationRow {
  id: number;
  channelId: number | null;
  topic: string | null;
  /** Ascending. */
  participantIds: number[] | null;
}

/** Topics and direct conversations by id; directs come in the order of their participants. */
export function loadConversations(
  sql: Sql,
  realmId: number,
  conversationIds: readonly number[],
): Promise<ConversationRow[]> {
  return sql.query(
    `select id, channel_id as "channelId", name as topic, null::bigint[] as "participantIds"
     from topic where realm_id = $1 and id = any($2::bigint[])
     union all
     select id, null, null, participant_ids from direct_conversation where realm_id = $1 and id = any($2::bigint[])
     order by "participantIds"`,
    [realmId, conversationIds],
  );
}
