import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { customEmojiChanged } from '@parley/shared/events';
import type { DeactivateCustomEmojiRequest, DeactivateCustomEmojiResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { changeOrganization } from '../realms/change-organization';
import { listCustomEmojiOf, markDeactivated } from './custom-emoji.sql';
import { mayDeactivateEmoji } from './permissions';

/** Takes an emoji out of use; where it was used it stays to be seen. */
export async function deactivateCustomEmoji(
  ctx: Context,
  caller: Caller,
  { name }: DeactivateCustomEmojiRequest,
): Promise<DeactivateCustomEmojiResponse> {
  return changeOrganization(ctx, caller, everybody, async (tx, actor) => {
    const { realmId } = actor;
    const emoji = (await listCustomEmojiOf(tx, realmId)).find((one) => one.name === name && !one.isDeactivated);
    if (!emoji) throw new BadRequestError(`Emoji '${name}' does not exist`, {}, 404);
    if (!mayDeactivateEmoji(emoji, actor)) {
      throw new BadRequestError('Must be an organization administrator or emoji author');
    }
    await markDeactivated(tx, realmId, emoji.id);
    await announce(tx, customEmojiChanged(realmId, { emoji: await listCustomEmojiOf(tx, realmId) }));
    return {};
  });
}

/** Whether somebody may depends on the emoji. */
function everybody(): void {}
