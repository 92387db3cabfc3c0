import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

const LIST_UNPASSED = statement(
  `with places as materialized (
     select distinct conversation_id as id from message where realm_id = $1 and id = any($4::bigint[])
   ), known as (
     select u.id, greatest(w.message_id, c.message_id, 0) as passed_id, exists (
       select from places p join read_exception e on e.realm_id = $1 and e.user_id = u.id and e.conversation_id = p.id
       where e.unread <> '{}' or e.unpassed <> '{}') as has_marks
     from unnest($3::bigint[]) as u (id)
     left join read_watermark w on w.realm_id = $1 and w.user_id = u.id
     left join channel_read_watermark c on c.realm_id = $1 and c.user_id = u.id and c.channel_id = $2
   )
   select id as "userId", passed_id as "passedId", has_marks as "hasMarks" from known
   where has_marks or passed_id < (select max(id) from unnest($4::bigint[]) as id) order by id`,
  {
    userId: z.number(),
    /** A watermark has passed everything up to this message. */
    passedId: z.number(),
    /** Some of the messages may be unread all the same. */
    hasMarks: z.boolean(),
  },
);

/** A user for whom some messages may be unread. */
export type Unpassed = RowOf<typeof LIST_UNPASSED>;

/** Those of the users for whom any of the messages of a channel may be unread: watermarks have passed all of them for most. */
export function listUnpassed(
  sql: Sql,
  realmId: number,
  channelId: number,
  userIds: readonly number[],
  messageIds: readonly number[],
): Promise<Unpassed[]> {
  return sql.query(LIST_UNPASSED, [realmId, channelId, userIds, messageIds]);
}
