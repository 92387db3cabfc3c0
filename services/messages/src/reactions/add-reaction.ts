import { announce } from '@parley/shared/bus';
import type { Sql } from '@parley/shared/db';
import { ChangedMeanwhile, repeatOnConflict } from '@parley/shared/db';
import { checkEmoji, emojiMeant, type NamedEmoji, UNICODE_EMOJI } from '@parley/shared/emoji';
import { ReactionAlreadyExistsError } from '@parley/shared/errors';
import { type DomainEvent, reactionAdded } from '@parley/shared/events';
import type { AddReactionRequest, AddReactionResponse, CustomEmoji, Reaction } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { type AccessedMessage, accessLoaded, audienceOf, withItsOutsiders } from '../messages/access-message';
import { hasReceived } from '../messages/permissions';
import { mayFollowByTakingPart, participate } from '../topic-policies/participate';
import { insertReaction, loadReactedMessage } from './reactions.sql';

/** Reacts to a message. Whoever reacts with an emoji that is there already joins in, whatever name they have for it. */
export function addReaction(ctx: Context, caller: Caller, request: AddReactionRequest): Promise<AddReactionResponse> {
  return repeatOnConflict(caller.realmId, () => tryToAdd(ctx, caller, request));
}

async function tryToAdd(ctx: Context, caller: Caller, request: AddReactionRequest): Promise<AddReactionResponse> {
  const { realmId, userId } = caller;
  const [message, customEmoji] = await Promise.all([
    loadReactedMessage(ctx.db, realmId, request.messageId, userId),
    customEmojiFor(ctx, caller, request),
  ]);
  const accessed = await withItsOutsiders(ctx, await accessLoaded(ctx, caller, message));
  const emoji = decideEmoji(request, customEmoji, accessed.message.reactions, userId);
  if (!mayFollowByTakingPart(accessed)) {
    await store(ctx.db, accessed, emoji);
    ctx.db.onAnnounced();
    return {};
  }
  await ctx.db.transaction(async (tx) => {
    await store(tx, accessed, emoji);
    tx.hasAnnounced = true;
    await announce(tx, ...(await participate(tx, accessed, ctx.clock.now())));
  });
  return {};
}

/** The organization's own emoji, unless the client has said already that it means another. */
async function customEmojiFor(
  { services }: Context,
  caller: Caller,
  { emojiCode, reactionType }: AddReactionRequest,
): Promise<readonly CustomEmoji[]> {
  if (emojiCode !== undefined && reactionType === UNICODE_EMOJI) return [];
  return (await services.realm.listCustomEmoji(caller, {})).emoji;
}

/** Throws unless it is an emoji, and one that the user has not reacted with yet. */
function decideEmoji(
  request: AddReactionRequest,
  customEmoji: readonly CustomEmoji[],
  earlier: readonly Reaction[],
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

/** One statement, with its announcement. */
async function store(sql: Sql, accessed: AccessedMessage, emoji: NamedEmoji): Promise<void> {
  const { message, reader } = accessed;
  const reaction = { ...emoji, userId: reader.userId };
  const isHistorical = !hasReceived(message, reader);
  const row = { ...reaction, realmId: reader.realm.id, message };
  const { isHeld, isChanged } = await insertReaction(sql, row, isHistorical, eventOf(accessed, reaction));
  if (!isHeld) throw new ChangedMeanwhile();
  if (!isChanged) throw new ReactionAlreadyExistsError();
}

function eventOf(accessed: AccessedMessage, reaction: Reaction): DomainEvent {
  const { message, reader, user } = accessed;
  const { id, email, fullName } = user;
  const audience = audienceOf(accessed);
  return reactionAdded(reader.realm.id, { messageId: message.id, reaction, user: { id, email, fullName }, audience });
}
