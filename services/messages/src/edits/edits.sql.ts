import type { Transaction } from '@parley/shared/db';

/** Who did it, when, and which edit in their order it is. */
export interface EditMark {
  editId: number;
  actorId: number;
  editedAtMs: number;
}

/** From what to what; aspects that stay are absent. */
export interface Change {
  prevTopic?: string;
  topic?: string;
  prevChannelId?: number;
  channelId?: number;
}

const MARK = 'to_timestamp($5 / 1000.0)';

/** An edit of some messages that took them from one conversation to another, or changed the casing of their topic. */
export async function insertMessageEdits(
  tx: Transaction,
  realmId: number,
  messageIds: readonly number[],
  { editId, actorId, editedAtMs }: EditMark,
  { prevTopic, topic, prevChannelId, channelId }: Change,
  conversations: { from: number; to: number } | null,
): Promise<void> {
  await tx.query(
    `insert into message_edit (realm_id, message_id, edit_id, actor_id, edited_at, prev_topic, topic, prev_channel_id, channel_id,
       from_conversation_id, to_conversation_id)
     select $1, id, $3, $4, ${MARK}, $6, $7, $8, $9, $10, $11 from unnest($2::bigint[]) as id`,
    [
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
    ],
  );
}
