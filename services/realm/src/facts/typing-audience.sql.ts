import { onlyRow, type Sql, statement } from '@parley/shared/db';
import type { TypingAudience } from '@parley/shared/proto';
import { MAX_TYPING_AUDIENCE } from '@parley/shared/values';
import { z } from 'zod';

/**
 * SQL: users without typing notifications, among the users and the subscribers of the channel; none if the channel is too large
 * for typing notifications. `channel` is a row with id and subscriber_count, `userIds` an array.
 */
// NOTE: the limits keep index lookups in the generic plan, even if it was first made for a large channel.
export function unwillingIds(realmId: string, channel: string, userIds: string): string {
  return `array(
       select meant.user_id from (
         select unnest(${userIds}) as user_id
         union
         (select m.user_id from subscription m
          where m.realm_id = ${realmId} and m.channel_id = ${channel}.id and m.is_active
            and ${channel}.subscriber_count <= ${MAX_TYPING_AUDIENCE} limit ${MAX_TYPING_AUDIENCE})
       ) meant, lateral (
         select from user_settings s where s.realm_id = ${realmId} and s.user_id = meant.user_id
           and s.chosen @> '{"receives_typing_notifications": false}' limit 1
       ) unwilling
       order by meant.user_id)`;
}

const FIND = statement(
  `select coalesce(channel.subscriber_count, 0) as "subscriberCount",
     ${unwillingIds('$1::bigint', 'channel', '$3::bigint[]')} as "unwillingIds"
   from (values (1)) one left join lateral (
     select c.id, c.subscriber_count from channel c where c.realm_id = $1 and c.id = $2 limit 1
   ) channel on true`,
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
