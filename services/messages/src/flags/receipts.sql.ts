import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import type { StoredReadState } from '../read-state/read-state.sql';

/** The location of a message. */
interface Placed {
  id: number;
  conversationId: number;
  channelId: number | null;
}

const LIST_HISTORICAL_READERS = statement(
  'select user_id as "userId" from personal_flag where realm_id = $1 and message_id = $2 and is_historical',
  { userId: z.number() },
);

/** Users who have flags on the message without having received it. */
export async function listHistoricalReaders(sql: Sql, realmId: number, messageId: number): Promise<number[]> {
  const rows = await sql.query(LIST_HISTORICAL_READERS, [realmId, messageId]);
  return rows.map(({ userId }) => userId);
}

export type Marks = Pick<StoredReadState, 'isMarkedRead' | 'isMarkedUnread' | 'isPassed'>;

const LOAD_MARKS = statement(
  `select u.user_id as "userId", coalesce(e.read @> $2::bigint, false) as "isMarkedRead",
     coalesce(e.unread @> $2::bigint, false) as "isMarkedUnread",
     $2 <= greatest(w.message_id, c.message_id, 0) and not coalesce(e.unpassed @> $2::bigint, false) as "isPassed"
   from unnest($5::bigint[]) as u (user_id)
   left join read_watermark w on w.realm_id = $1 and w.user_id = u.user_id
   left join channel_read_watermark c on c.realm_id = $1 and c.user_id = u.user_id and c.channel_id = $4
   left join read_exception e on e.realm_id = $1 and e.user_id = u.user_id and e.conversation_id = $3`,
  { isMarkedRead: z.boolean(), isMarkedUnread: z.boolean(), isPassed: z.boolean(), userId: z.number() },
);

/** The stored state of each of the users on one message. */
export async function loadMarks(
  sql: Sql,
  realmId: number,
  { id, conversationId, channelId }: Placed,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Marks>> {
  const rows = await sql.query(LOAD_MARKS, [realmId, id, conversationId, channelId, userIds]);
  return new Map(rows.map((row) => [row.userId, row]));
}
