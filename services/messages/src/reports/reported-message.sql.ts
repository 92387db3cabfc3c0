import type { Sql } from '@parley/shared/db';
import type { MessagePlace } from '../messages/permissions';

export interface ReportedMessage extends MessagePlace {
  id: number;
  senderId: number;
  topic: string;
  content: string;
}

/** Null when the organization has no such message. */
export async function findReportedMessage(
  sql: Sql,
  realmId: number,
  messageId: number,
): Promise<ReportedMessage | null> {
  const [row] = await sql.query<ReportedMessage>(
    `select m.id, m.channel_id as "channelId", m.sent_channel_id as "sentChannelId", m.sent_version as "sentVersion",
       m.sender_id as "senderId", coalesce(m.topic_name, t.name, '') as topic, d.participant_ids as "participantIds", m.content
     from message m
     left join topic t on t.realm_id = m.realm_id and t.id = m.conversation_id
     left join direct_conversation d on d.realm_id = m.realm_id and d.id = m.conversation_id
     where m.realm_id = $1 and m.id = $2`,
    [realmId, messageId],
  );
  return row ?? null;
}
