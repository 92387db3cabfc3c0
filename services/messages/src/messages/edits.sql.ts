import { type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

/** Actor, time and number of an edit. */
export interface EditMark {
  editId: number;
  actorId: number;
  editedAtMs: number;
}

/** The change; unchanged aspects are absent. */
interface Change {
  prevTopic?: string;
  topic?: string;
  prevChannelId?: number;
  channelId?: number;
}

const MARK = 'to_timestamp($5 / 1000.0)';

const INSERT_MESSAGE_EDITS =
  statement(`insert into message_edit (realm_id, message_id, edit_id, actor_id, edited_at, prev_topic, topic, prev_channel_id, channel_id,
     from_conversation_id, to_conversation_id)
   select $1, id, $3, $4, ${MARK}, $6, $7, $8, $9, $10, $11 from unnest($2::bigint[]) as id`);

/** An edit that moved some messages to another conversation, or changed the casing of their topic. */
export async function insertMessageEdits(
  tx: Transaction,
  realmId: number,
  messageIds: readonly number[],
  { editId, actorId, editedAtMs }: EditMark,
  { prevTopic, topic, prevChannelId, channelId }: Change,
  conversations: { from: number; to: number } | null,
): Promise<void> {
  await tx.query(INSERT_MESSAGE_EDITS, [
    realmId,
    messageIds,
    editId,
    actorId,
    editedAtMs,
    prevTopic,
    topic,
    prevChannelId,
    channelId,
    conversations?.from,
    conversations?.to,
  ]);
}

/** An edit as it affected one of its messages; unchanged aspects are null. */
export const EDIT_ROW = {
  messageId: z.number(),
  editId: z.number(),
  actorId: z.number(),
  editedAtMs: z.number(),
  prevContent: z.string().nullable(),
  prevRenderedContent: z.string().nullable(),
  prevTopic: z.string().nullable(),
  topic: z.string().nullable(),
  prevChannelId: z.number().nullable(),
  channelId: z.number().nullable(),
};

export type EditRow = z.infer<z.ZodObject<typeof EDIT_ROW>>;

/**
 * A query for the edits of messages. A message has its own edits, and those of each topic while it was there: from the edit that
 * brought it to the one that moved it away. Renaming a topic and editing one of its messages in one request is one edit, with one
 * id.
 */
export const editsOf = (messageIds: string) => `with own as (
     select * from message_edit where realm_id = $1 and message_id = any(${messageIds}::bigint[])
   ), moves as (
     select message_id, edit_id, from_conversation_id, coalesce(lag(edit_id) over (partition by message_id order by edit_id), 0) as since
     from own where from_conversation_id is not null
   ), stays as (
     select message_id, from_conversation_id as conversation_id, since, edit_id as until from moves
     union all
     select m.id, m.conversation_id, coalesce((select max(v.edit_id) from moves v where v.message_id = m.id), 0), 9223372036854775807
     from message m where m.realm_id = $1 and m.id = any(${messageIds}::bigint[]) and m.channel_id is not null
   ), renames as (
     select s.message_id, e.edit_id, e.actor_id, e.edited_at, e.prev_topic, e.topic
     from stays s join topic_edit e on e.realm_id = $1 and e.conversation_id = s.conversation_id
       and e.edit_id > s.since and e.edit_id < s.until and e.last_message_id >= s.message_id
   )
   select coalesce(o.message_id, r.message_id) as "messageId", coalesce(o.edit_id, r.edit_id) as "editId",
     coalesce(o.actor_id, r.actor_id) as "actorId", coalesce(o.edited_at, r.edited_at) as "editedAtMs",
     o.prev_content as "prevContent", o.prev_rendered_content as "prevRenderedContent",
     coalesce(o.prev_topic, r.prev_topic) as "prevTopic", coalesce(o.topic, r.topic) as topic,
     o.prev_channel_id as "prevChannelId", o.channel_id as "channelId"
   from own o full join renames r on r.message_id = o.message_id and r.edit_id = o.edit_id`;

export const LIST_EDITS = statement(`${editsOf('$2')} order by 1, 2 desc`, EDIT_ROW);

/** The edits of the messages: by message, newest first. */
export function listEdits(sql: Sql, realmId: number, messageIds: readonly number[]): Promise<EditRow[]> {
  return sql.query(LIST_EDITS, [realmId, messageIds]);
}
