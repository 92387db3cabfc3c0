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

/** An edit of all messages that are in the topic. */
export async function insertTopicEdit(
  tx: Transaction,
  realmId: number,
  topic: { id: number; maxMessageId: number },
  { editId, actorId, editedAtMs }: EditMark,
  names: { from: string; to: string },
): Promise<void> {
  await tx.query(
    `insert into topic_edit (realm_id, conversation_id, edit_id, actor_id, edited_at, prev_topic, topic, last_message_id)
     values ($1, $2, $3, $4, ${MARK}, $6, $7, $8)`,
    [realmId, topic.id, editId, actorId, editedAtMs, names.from, names.to, topic.maxMessageId],
  );
}

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

export interface Contents {
  content: string;
  renderedContent: string;
}

/** Part of the edit that moves the message, where there is one. */
export async function insertContentEdit(
  tx: Transaction,
  realmId: number,
  messageId: number,
  { editId, actorId, editedAtMs }: EditMark,
  { content, renderedContent }: Contents,
): Promise<void> {
  await tx.query(
    `insert into message_edit (realm_id, message_id, edit_id, actor_id, edited_at, prev_content, prev_rendered_content)
     values ($1, $2, $3, $4, ${MARK}, $6, $7)
     on conflict (realm_id, message_id, edit_id)
     do update set prev_content = excluded.prev_content, prev_rendered_content = excluded.prev_rendered_content`,
    [realmId, messageId, editId, actorId, editedAtMs, content, renderedContent],
  );
}

export interface NewContent extends Contents {
  isMeMessage: boolean;
  mentionedIds: readonly number[];
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  /** Whom a mention of the topic means. */
  topicParticipantIds: readonly number[];
}

export async function updateContent(
  tx: Transaction,
  realmId: number,
  messageId: number,
  next: NewContent,
): Promise<void> {
  await tx.query(
    `with changed as (
       update message set content = $3, rendered_content = $4, is_me_message = $5, mentions_channel = $6, mentions_topic = $7,
         topic_participant_ids = $9::bigint[]
       where realm_id = $1 and id = $2
     ), forgotten as (
       delete from mention where realm_id = $1 and message_id = $2 and user_id <> all($8::bigint[])
     )
     insert into mention (realm_id, user_id, message_id) select $1, id, $2 from unnest($8::bigint[]) as id
     on conflict (realm_id, user_id, message_id) do nothing`,
    [
      realmId,
      messageId,
      next.content,
      next.renderedContent,
      next.isMeMessage,
      next.mentionsChannel,
      next.mentionsTopic,
      next.mentionedIds,
      next.topicParticipantIds,
    ],
  );
}
