import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

const LIST = statement(
  `select distinct channel_id as "channelId", sent_channel_id as "sentChannelId" from message
   where realm_id = $1 and id = any($2::bigint[]) and channel_id is not null order by channel_id, sent_channel_id`,
  { channelId: z.number(), sentChannelId: z.number() },
);

/** Where messages are, and where they were sent to; missing ids and direct messages are skipped. */
export function listChannelsOfMessages(
  sql: Sql,
  realmId: number,
  messageIds: readonly number[],
): Promise<{ channelId: number; sentChannelId: number }[]> {
  return sql.query(LIST, [realmId, messageIds]);
}
