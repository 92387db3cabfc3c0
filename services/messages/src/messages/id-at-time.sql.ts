import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

/** Ids rise with time, so this is a binary search along the primary key. */
const FIND = statement(
  `with recursive place (low, high) as (
     select (select id from message where realm_id = $1 order by id limit 1),
       (select id from message where realm_id = $1 order by id desc limit 1) + 1
     union all
     select case when middle.sent_at < to_timestamp($2 / 1000.0) then middle.id + 1 else low end,
       case when middle.sent_at < to_timestamp($2 / 1000.0) then high else (low + high) / 2 end
     from place cross join lateral (
       select id, sent_at from message where realm_id = $1 and id >= (low + high) / 2 order by id limit 1
     ) middle
     where low < high
   )
   select low as id from place where low >= high`,
  { id: z.number().nullable() },
);

/** The lowest id for messages sent at that time or later, greater than all ids of earlier messages; null without messages. */
export async function findIdAtTime(sql: Sql, realmId: number, timeMs: number): Promise<number | null> {
  const [row] = await sql.query(FIND, [realmId, timeMs]);
  return row?.id ?? null;
}
