import { announce } from '@parley/shared/bus';
import { emojiNamed, UNICODE_EMOJI } from '@parley/shared/emoji';
import { BadRequestError, ReactionDoesNotExistError } from '@parley/shared/errors';
import { reactionRemoved } from '@parley/shared/events';
import type { RemoveReactionRequest, RemoveReactionResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { accessMessage, audienceOf } from '../messages/access-message';
import { deleteReaction } from './reactions.sql';

/** Takes the caller's reaction back. */
export async function removeReaction(
  ctx: Context,
  caller: Caller,
  request: RemoveReactionRequest,
): Promise<RemoveReactionResponse> {
  const { messageId, reactionType = UNICODE_EMOJI } = request;
  const { realmId, userId } = caller;
  const accessed = await accessMessage(ctx, caller, messageId);
  const emojiCode = request.emojiCode ?? (await findCode(ctx, caller, request.emojiName));
  await ctx.db.transaction(async (tx) => {
    const emojiName = await deleteReaction(tx, { realmId, messageId, userId, reactionType, emojiCode });
    if (emojiName === null) throw new ReactionDoesNotExistError();
    const reaction = { userId, emojiName, emojiCode, reactionType };
    const { id, email, fullName } = accessed.user;
    const audience = audienceOf(accessed);
    await announce(tx, reactionRemoved(realmId, { messageId, reaction, user: { id, email, fullName }, audience }));
  });
  return {};
}

async function findCode({ services }: Context, caller: Caller, name: string | undefined): Promise<string> {
  if (name === undefined) {
    throw new BadRequestError('At least one of the following arguments must be present: emoji_name, emoji_code');
  }
  const { emoji } = await services.realm.listCustomEmoji(caller, {});
  return emojiNamed(name, emoji).emojiCode;
}
