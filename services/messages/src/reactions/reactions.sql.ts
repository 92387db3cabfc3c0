import { eventText } from '@parley/shared/bus';
import { onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { messageShape, type Reaction } from '@parley/shared/proto';
import { z } from 'zod';
import { heldTable, MESSAGE_ROW, type MessageToLock, messageRows } from '../messages/message.sql';
import { HOLDER_IDS } from '../read-state/personal-flags.sql';

const LIST_REACTIONS = statement(
  `select message_id as "messageId", user_id as "userId", emoji_name as "emojiName", emoji_code as "emojiCode",
     reaction_type as "reactionType"
   from reaction where realm_id = $1 and message_id = any($2::bigint[]) order by id`,
  { messageId: z.number(), userId: z.number(), emojiName: z.string(), emojiCode: z.string(), reactionType: z.string() },
);

/** Reactions to the messages, oldest first. */
export function listReactions(sql: Sql, realmId: number, messageIds: readonly number[]) {
  return sql.query(LIST_REACTIONS, [realmId, messageIds]);
}

const LOAD_REACTED = statement(
  messageRows(`, (
       select coalesce(json_agg(json_build_object('userId', r.user_id, 'emojiName', r.emoji_name, 'emojiCode', r.emoji_code,
         'reactionType', r.reaction_type) order by r.id), '[]')
       from reaction r where r.realm_id = m.realm_id and r.message_id = m.id) as reactions, ${HOLDER_IDS}`),
  {
    ...MESSAGE_ROW,
    holderIds: z.array(z.number()),
    /** Oldest first. */
    reactions: z.array(messageShape<Reaction>('messages', 'Reaction')),
  },
);

export type ReactedMessageRow = RowOf<typeof LOAD_REACTED>;

/** A message with the reactions to it. */
export async function loadReactedMessage(sql: Sql, realmId: number, messageId: number, readerId: number) {
  const [row] = await sql.query(LOAD_REACTED, [realmId, [messageId], readerId]);
  return row;
}

interface NewReaction extends Reaction {
  realmId: number;
  /** As it was when the audience was decided. */
  message: MessageToLock;
}

const REACTION_OUTCOME = {
  /** False: the message was deleted or moved meanwhile, or has other holders, and nothing was stored. */
  isHeld: z.boolean(),
  /** False: the reaction existed already, or was removed already. */
  isChanged: z.boolean(),
};

type ReactionOutcome = z.infer<z.ZodObject<typeof REACTION_OUTCOME>>;

const INSERT = statement(
  `with ${heldTable('$10', '$11', '$12')}, reacted as (
     insert into reaction (realm_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
     select $1, id, $3, $4, $5, $6 from held on conflict do nothing returning id
   ), historical as (
     insert into personal_flag (realm_id, user_id, message_id, is_historical)
     select $1, $3, $2, true from reacted where $7 on conflict do nothing
   ), announced as (
     insert into outbox (realm_id, kind, payload) select $1, $8, $9 from reacted
   )
   select exists (select from held) as "isHeld", exists (select from reacted) as "isChanged"`,
  REACTION_OUTCOME,
);

/**
 * Stores a reaction and announces it. `isHistorical`: also stores that the user has a flag on a message that they had not
 * received.
 */
export async function insertReaction(
  sql: Sql,
  { realmId, message, userId, reactionType, emojiCode, emojiName }: NewReaction,
  isHistorical: boolean,
  event: DomainEvent,
): Promise<ReactionOutcome> {
  return onlyRow(
    await sql.query(INSERT, [
      realmId,
      message.id,
      userId,
      reactionType,
      emojiCode,
      emojiName,
      isHistorical,
      event.kind,
      eventText(event),
      message.conversationId,
      message.channelId,
      message.holderIds,
    ]),
  );
}

const DELETE = statement(
  `with ${heldTable('$9', '$10', '$11')}, deleted as (
     delete from reaction using held
     where realm_id = $1 and message_id = held.id and user_id = $3 and reaction_type = $4 and emoji_code = $5 and emoji_name = $6
     returning reaction.id
   ), announced as (
     insert into outbox (realm_id, kind, payload) select $1, $7, $8 from deleted
   )
   select exists (select from held) as "isHeld", exists (select from deleted) as "isChanged"`,
  REACTION_OUTCOME,
);

/** Deletes a reaction and announces that. */
export async function deleteReaction(
  sql: Sql,
  { realmId, message, userId, reactionType, emojiCode, emojiName }: NewReaction,
  event: DomainEvent,
): Promise<ReactionOutcome> {
  const place = [message.conversationId, message.channelId, message.holderIds];
  const values = [
    realmId,
    message.id,
    userId,
    reactionType,
    emojiCode,
    emojiName,
    event.kind,
    eventText(event),
    ...place,
  ];
  return onlyRow(await sql.query(DELETE, values));
}
