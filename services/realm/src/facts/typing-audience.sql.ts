import { composed, onlyRow, type Sql } from '@parley/shared/db';
import type { TypingAudience } from '@parley/shared/proto';
import { MAX_TYPING_AUDIENCE } from '@parley/shared/values';
import { z } from 'zod';

// NOTE: planned for each call, as channels differ much in size.
const FIND = composed(
  `with channel_meant as (select id, subscriber_count from channel where realm_id = $1 and id = $2),
   meant as (
     select unnest($3::bigint[]) as user_id
     union
     select m.user_id from channel_meant c
     join subscription m on m.realm_id = $1 and m.channel_id = c.id and m.is_active
     where c.subscriber_count <= ${MAX_TYPING_AUDIENCE}
   )
   select coalesce((select subscriber_count from channel_meant), 0) as "subscriberCount",
     array(select s.user_id from meant m join user_settings s on s.realm_id = $1 and s.user_id = m.user_id
       where s.chosen @> '{"receives_typing_notifications": false}' order by s.user_id) as "unwillingIds"`,
  { subscriberCount: z.number(), unwillingIds: z.array(z.number()) },
);

/** The users, and subscribers of the channel, without typing notifications. */
export async function findTypingAudience(
  sql: Sql,
  realmId: number,
  channelId: number | null,
  userIds: readonly number[],
): Promise<TypingAudience> {
  return onlyRow(await sql.query(FIND, [realmId, channelId, userIds]));
}
