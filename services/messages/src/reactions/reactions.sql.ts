import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { Reaction } from '@parley/shared/proto';

/** A reaction as part of the message it belongs to. */
export type ReactionRow = Reaction & { messageId: number };

const LIST = statement(
  'list-reactions',
  `select message_id as "messageId", user_id as "userId", emoji_name as "emojiName", emoji_code as "emojiCode",
     reaction_type as "reactionType"
   from reaction where realm_id = $1 and message_id = any($2::bigint[]) order by id`,
);

/** Reactions to the messages, oldest first. */
export function listReactions(sql: Sql, realmId: number, messageIds: readonly number[]): Promise<ReactionRow[]> {
  return sql.query(LIST, [realmId, messageIds]);
}

export interface NewReaction extends Reaction {
  realmId: number;
  messageId: number;
}

/** False when the user has reacted like that before. */
export async function insertReaction(tx: Transaction, reaction: NewReaction): Promise<boolean> {
  const rows = await tx.query(
    `insert into reaction (realm_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning id`,
    [
      reaction.realmId,
      reaction.messageId,
      reaction.userId,
      reaction.reactionType,
      reaction.emojiCode,
      reaction.emojiName,
    ],
  );
  return rows.length > 0;
}

export type ReactionKey = Omit<NewReaction, 'emojiName'>;

/** The name that the reaction had; null when there was none. */
export async function deleteReaction(tx: Transaction, reaction: ReactionKey): Promise<string | null> {
  const [deleted] = await tx.query<{ emojiName: string }>(
    `delete from reaction
     where realm_id = $1 and message_id = $2 and user_id = $3 and reaction_type = $4 and emoji_code = $5
     returning emoji_name as "emojiName"`,
    [reaction.realmId, reaction.messageId, reaction.userId, reaction.reactionType, reaction.emojiCode],
  );
  return deleted?.emojiName ?? null;
}

/** For messages that are deleted. */
export async function deleteReactionsOf(
  tx: Transaction,
  realmId: number,
  messageIds: readonly number[],
): Promise<void> {
  await tx.query('delete from reaction where realm_id = $1 and message_id = any($2::bigint[])', [realmId, messageIds]);
}
