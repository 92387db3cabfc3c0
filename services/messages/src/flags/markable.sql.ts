import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { anyIds, mentionsInTopic, PARTICIPANT_IDS } from '../messages/message.sql';
import { STORED_STATE, STORED_STATE_ROW, storedStateJoins } from '../read-state/read-state.sql';
import type { MarkableMessage } from './update-flags';

const LOAD = statement(
  `select m.id, m.conversation_id as "conversationId", m.channel_id as "channelId", m.sent_channel_id as "sentChannelId",
     m.sent_version as "sentVersion", m.moved_version as "movedVersion", m.sender_id as "senderId",
     m.is_read_by_sender as "isReadBySender", m.read_by_ids as "readByIds", ${PARTICIPANT_IDS} as "participantIds",
     coalesce(m.topic_name, t.name, '') as topic, n.message_id is not null as "mentionsReader",
     m.mentions_channel or ${mentionsInTopic('$2')} as "hasWildcard", p.policy as "topicPolicy", ${STORED_STATE}
   from message m
   left join topic t on t.realm_id = m.realm_id and t.id = m.conversation_id
   left join topic_policy p on p.realm_id = m.realm_id and p.user_id = $2 and p.channel_id = t.channel_id and p.name_key = t.name_key
   left join mention n on n.realm_id = m.realm_id and n.user_id = $2 and n.message_id = m.id
   ${storedStateJoins('$2')}
   where m.realm_id = $1 and m.id = any(${anyIds('$3')})
   order by m.id`,
  {
    id: z.number(),
    conversationId: z.number(),
    channelId: z.number().nullable(),
    sentChannelId: z.number().nullable(),
    sentVersion: z.number().nullable(),
    movedVersion: z.number().nullable(),
    senderId: z.number(),
    isReadBySender: z.boolean(),
    readByIds: z.array(z.number()),
    participantIds: z.array(z.number()).nullable(),
    topic: z.string(),
    mentionsReader: z.boolean(),
    hasWildcard: z.boolean(),
    topicPolicy: z.number().nullable(),
    ...STORED_STATE_ROW,
  },
);

/** Messages by id, ascending, with the user's flags on them; unknown ids are skipped. */
export function loadMarkable(
  sql: Sql,
  realmId: number,
  userId: number,
  messageIds: readonly number[],
): Promise<MarkableMessage[]> {
  return sql.query(LOAD, [realmId, userId, messageIds]);
}
