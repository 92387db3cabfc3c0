import type { Sql } from '@parley/shared/db';
import type { UnreadPlace } from './find-unread.sql';

/** A topic, or a direct conversation. */
export interface ConversationRow {
  id: number;
  channelId: number | null;
  topic: string | null;
  /** Ascending. */
  participantIds: number[] | null;
}

/**
 * Topics and direct conversations; directs come in the order of their participants. A topic is called as in the newest of the given
 * messages, which may have it in a casing of its own.
 */
export function loadConversations(
  sql: Sql,
  realmId: number,
  places: readonly UnreadPlace[],
): Promise<ConversationRow[]> {
  return sql.query(
    `select t.id, t.channel_id as "channelId", coalesce(m.topic_name, t.name) as topic, null::bigint[] as "participantIds"
     from unnest($2::bigint[], $3::bigint[]) as place (id, newest_id)
     join topic t on t.realm_id = $1 and t.id = place.id
     left join message m on m.realm_id = $1 and m.id = place.newest_id
     union all
     select id, null, null, participant_ids from direct_conversation where realm_id = $1 and id = any($2::bigint[])
     order by "participantIds"`,
    [realmId, places.map(({ conversationId }) => conversationId), places.map(({ messageIds }) => messageIds.at(-1))],
  );
}
