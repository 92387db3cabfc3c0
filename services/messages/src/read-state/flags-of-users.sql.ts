import { type Sql, statement } from '@parley/shared/db';
import type { MessageOfUser } from '@parley/shared/proto';
import { beganReadBy } from './began-read';
import { STORED_STATE, type StoredReadState } from './read-state.sql';

export interface StoredFlags
  extends Pick<
    StoredReadState,
    'isMarkedRead' | 'isMarkedUnread' | 'isPassed' | 'isStarred' | 'isCollapsed' | 'isCalled'
  > {
  /** There is no such message, or no longer. */
  isGone: boolean;
  hasBegunRead: boolean;
}

/**
 * The row of a table with that key, if there is one. NOTE: the limit has it looked up question by question: of a large batch the planner
 * would rather read whole tables, which grow with whoever else has read.
 */
const found = (alias: string, table: string, columns: string, key: string) =>
  `left join lateral (select ${columns} from ${table} where realm_id = q.realm_id and ${key} limit 1) ${alias} on true`;

const LOAD = statement(
  'load-flags-of-users',
  `select m.id is null as "isGone",
     coalesce(m.sender_id = q.user_id and m.is_read_by_sender or ${beganReadBy('q.user_id')}, false) as "hasBegunRead", ${STORED_STATE}
   from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as q (realm_id, message_id, user_id, nth)
   ${found('m', 'message', 'id, sender_id, is_read_by_sender, read_by_ids, channel_id, conversation_id', 'id = q.message_id')}
   ${found('w', 'read_watermark', 'message_id', 'user_id = q.user_id')}
   ${found('c', 'channel_read_watermark', 'message_id', 'user_id = q.user_id and channel_id = m.channel_id')}
   ${found('e', 'read_exception', 'read, unread, unpassed', 'user_id = q.user_id and conversation_id = m.conversation_id')}
   ${found('f', 'personal_flag', 'is_starred, is_collapsed, is_historical, is_called', 'user_id = q.user_id and message_id = q.message_id')}
   order by q.nth`,
);

/** What is stored of users about messages, in the order of the questions. */
export function loadFlagsOfUsers(sql: Sql, questions: readonly MessageOfUser[]): Promise<StoredFlags[]> {
  return sql.query(LOAD, [
    questions.map(({ realmId }) => realmId),
    questions.map(({ messageId }) => messageId),
    questions.map(({ userId }) => userId),
  ]);
}
