import { ChangedMeanwhile, repeatOnConflict } from '@parley/shared/db';
import { emojiNamed, UNICODE_EMOJI } from '@parley/shared/emoji';
import { BadRequestError, ReactionDoesNotExistError } from '@parley/shared/errors';
import { reactionRemoved } from '@parley/shared/events';
import type { Reaction, RemoveReactionRequest, RemoveReactionResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { accessLoaded, audienceOf, withItsOutsiders } from '../messages/access-message';
import { deleteReaction, loadReactedMessage } from './reactions.sql';

/** Takes the caller's reaction back. */
export function removeReaction(
  ctx: Context,
  caller: Caller,
  request: RemoveReactionRequest,
): Promise<RemoveReactionResponse> {
  return repeatOnConflict(caller.realmId, () => tryToRemove(ctx, caller, request));
}

async function tryToRemove(
  ctx: Context,
  caller: Caller,
  request: RemoveReactionRequest,
): Promise<RemoveReactionResponse> {
  const { messageId, reactionType = UNICODE_EMOJI } = request;
  const { realmId, userId } = caller;
  const message = await loadReactedMessage(ctx.db, realmId, messageId, userId);
  const accessed = await withItsOutsiders(ctx, await accessLoaded(ctx, caller, message));
  const own = accessed.message.reactions.filter((one) => one.userId === userId && one.reactionType === reactionType);
  const emojiCode = request.emojiCode ?? (await findCode(ctx, caller, own, request.emojiName));
  const reaction = own.find((one) => one.emojiCode === emojiCode);
  if (!reaction) throw new ReactionDoesNotExistError();
  const { id, email, fullName } = accessed.user;
  const event = { messageId, reaction, user: { id, email, fullName }, audience: audienceOf(accessed) };
  const row = { ...reaction, realmId, message: accessed.message };
  const { isHeld, isChanged } = await deleteReaction(ctx.db, row, reactionRemoved(realmId, event));
  if (!isHeld) throw new ChangedMeanwhile();
  if (!isChanged) throw new ReactionDoesNotExistError();
  ctx.db.onAnnounced();
  return {};
}

async function findCode(
  { services }: Context,
  caller: Caller,
  own: readonly Reaction[],
  name: string | undefined,
): Promise<string> {
  if (name === undefined) {
    throw new BadRequestError('At least one of the following arguments must be present: emoji_name, emoji_code');
  }
  // A name may have meant another emoji when its author reacted.
  const named = own.find(({ emojiName }) => emojiName === name);
  if (named) return named.emojiCode;
  const { emoji } = await services.realm.listCustomEmoji(caller, {});
  return emojiNamed(name, emoji).emojiCode;
}
