import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { isMovedTo } from './moved.sql';

/**
 * SQL for a query for channels where a user may find messages without ever having been subscribed: by messages moved there, or by own
 * flags on messages. Skips from one channel to the next along the index of moved messages, so the cost does not depend on their number.
 */
export function foreignChannelsOf(realmId: string, userId: string): string {
  return `with recursive gained (channel_id) as (
     (select m.channel_id from message m where m.realm_id = ${realmId} and ${isMovedTo('m')} order by m.channel_id limit 1)
     union all
     select (select m.channel_id from message m
       where m.realm_id = ${realmId} and ${isMovedTo('m')} and m.channel_id > gained.channel_id
       order by m.channel_id limit 1)
     from gained where gained.channel_id is not null
   )
   select channel_id as "channelId" from gained where channel_id is not null
   union
   select m.channel_id from personal_flag f join message m on m.realm_id = f.realm_id and m.id = f.message_id
   where f.realm_id = ${realmId} and f.user_id = ${userId} and f.is_historical and m.channel_id is not null`;
}

const LIST = statement(foreignChannelsOf('$1', '$2'), { channelId: z.number() });

/** These channels. */
export async function listForeignChannels(sql: Sql, realmId: number, userId: number): Promise<number[]> {
  const rows = await sql.query(LIST, [realmId, userId]);
  return rows.map(({ channelId }) => channelId);
}
