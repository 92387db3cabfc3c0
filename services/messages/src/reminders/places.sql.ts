import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import type { MessagePlace } from '../access/permissions';

const LOAD_PLACES = statement(
  `with place as (
     select m.id, m.conversation_id, m.channel_id, m.sent_channel_id, m.sent_version, m.moved_version
     from message m where m.realm_id = $1 and m.id = any($2::bigint[])
     union all
     select x.id, x.conversation_id, x.channel_id, x.sent_channel_id, x.sent_version, x.moved_version
     from archived_message a, jsonb_to_record(a.content -> 'message') as x (
       id bigint, conversation_id bigint, channel_id bigint, sent_channel_id bigint, sent_version bigint, moved_version bigint)
     where a.realm_id = $1 and a.message_id = any($2::bigint[])
   )
   select p.id, p.channel_id as "channelId", p.sent_channel_id as "sentChannelId", p.sent_version as "sentVersion",
     p.moved_version as "movedVersion", d.participant_ids as "participantIds"
   from place p left join lateral (
     select d.participant_ids from direct_conversation d
     where p.channel_id is null and d.realm_id = $1 and d.id = p.conversation_id limit 1) d on true`,
  {
    channelId: z.number().nullable(),
    sentChannelId: z.number().nullable(),
    sentVersion: z.number().nullable(),
    movedVersion: z.number().nullable(),
    participantIds: z.array(z.number()).nullable(),
    id: z.number(),
  },
);

/** The locations of messages, or their last ones before deletion; purged messages are omitted. */
export function loadPlaces(
  sql: Sql,
  realmId: number,
  messageIds: readonly number[],
): Promise<(MessagePlace & { id: number })[]> {
  return sql.query(LOAD_PLACES, [realmId, messageIds]);
}
