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

/** A query for the edits of messages, and of their topics while they were there. */
export const editsOf = (
  messageIds: string,
) => `select message_id as "messageId", edit_id as "editId", actor_id as "actorId",
     edited_at as "editedAtMs", prev_content as "prevContent", prev_rendered_content as "prevRenderedContent",
     prev_topic as "prevTopic", topic, prev_channel_id as "prevChannelId", channel_id as "channelId"
   from edits_of($1, ${messageIds}::bigint[])`;

export const LIST_EDITS = statement(`${editsOf('$2')} order by 1, 2 desc`, EDIT_ROW);

/** The edits of the messages: by message, newest first. */
export function listEdits(sql: Sql, realmId: number, messageIds: readonly number[]): Promise<EditRow[]> {
  return sql.query(LIST_EDITS, [realmId, messageIds]);
}
