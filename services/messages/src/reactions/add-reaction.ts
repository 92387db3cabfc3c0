import { announce } from '@parley/shared/bus';
import { checkEmoji, emojiMeant, type NamedEmoji } from '@parley/shared/emoji';
import { ReactionAlreadyExistsError } from '@parley/shared/errors';
import { type DomainEvent, reactionAdded } from '@parley/shared/events';
import type { AddReactionRequest, AddReactionResponse, CustomEmoji } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { type AccessedMessage, accessMessage, audienceOf, holdMessage } from '../messages/access-message';
import { hasReceived } from '../messages/permissions';
import { keepHistorical } from '../read-state/personal-flags.sql';
import { participate } from '../topic-policies/participate';
import { insertReaction, listReactions, type ReactionRow } from './reactions.sql';

/** Reacts to a message. Whoever reacts with an emoji that is there already joins in, whatever name they have for it. */
export async function addReaction(
  ctx: Context,
  caller: Caller,
  request: AddReactionRequest,
): Promise<AddReactionResponse> {
  const { messageId } = request;
  const [accessed, { emoji: customEmoji }] = await Promise.all([
    accessMessage(ctx, caller, messageId),
    ctx.services.realm.listCustomEmoji(caller, {}),
  ]);
  const earlier = await listReactions(ctx.db, caller.realmId, [messageId]);
  const emoji = decideEmoji(request, customEmoji, earlier, caller.userId);
  await ctx.db.transaction(async (tx) => {
    await holdMessage(tx, caller.realmId, messageId);
    const reaction = { ...emoji, userId: caller.userId };
    const isNew = await insertReaction(tx, { ...reaction, realmId: caller.realmId, messageId });
    if (!isNew) throw new ReactionAlreadyExistsError();
    if (!hasReceived(accessed.message, accessed.reader)) {
      await keepHistorical(tx, caller.realmId, caller.userId, [messageId]);
    }
    const changes = await participate(tx, accessed, ctx.clock.now());
    await announce(tx, eventOf(accessed, reaction), ...changes);
  });
  return {};
}

/** Throws unless it is an emoji, and one that the user has not reacted with yet. */
function decideEmoji(
  request: AddReactionRequest,
  customEmoji: readonly CustomEmoji[],
  earlier: readonly ReactionRow[],
  userId: number,
): NamedEmoji {
  const meant = emojiMeant(request, customEmoji);
  const same = earlier.filter((one) => one.emojiCode === meant.emojiCode && one.reactionType === meant.reactionType);
  if (same.some((one) => one.userId === userId)) throw new ReactionAlreadyExistsError();
  const [first] = same;
  if (first) return { ...meant, emojiName: first.emojiName };
  checkEmoji(meant, customEmoji);
  return meant;
}

function eventOf(accessed: AccessedMessage, reaction: Omit<ReactionRow, 'messageId'>): DomainEvent {
  const { message, reader, user } = accessed;
  const { id, email, fullName } = user;
  const audience = audienceOf(accessed);
  return reactionAdded(reader.realm.id, { messageId: message.id, reaction, user: { id, email, fullName }, audience });
}
