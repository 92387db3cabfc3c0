import type { Sql } from '@parley/shared/db';
import type { TypingAudience } from '@parley/shared/proto';
import { MAX_TYPING_AUDIENCE } from '@parley/shared/values';

/** Those of the users, and of the subscribers of the channel, who do not want to be told that somebody is typing. */
export async function findTypingAudience(
  sql: Sql,
  realmId: number,
  channelId: number | null,
  userIds: readonly number[],
): Promise<TypingAudience> {
  const [audience] = await sql.query<TypingAudience>(
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
    [realmId, channelId, userIds],
  );
  return audience as TypingAudience;
}
