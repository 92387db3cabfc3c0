import type { Sql } from '@parley/shared/db';
import type { RecentDirect } from '@parley/shared/proto';

const MAX_CONVERSATIONS = 1_000;

/** The user's direct conversations that were written in last: the one with the newest message first. */
export function listRecentDirects(sql: Sql, realmId: number, userId: number): Promise<RecentDirect[]> {
  return sql.query(
    `select max_message_id as "maxMessageId", participant_ids as "participantIds" from direct_conversation
     where realm_id = $1 and participant_ids @> array[$2::bigint] and max_message_id > 0
     order by max_message_id desc limit ${MAX_CONVERSATIONS}`,
    [realmId, userId],
  );
}
