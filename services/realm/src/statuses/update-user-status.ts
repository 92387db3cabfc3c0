import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { userStatusChanged } from '@parley/shared/events';
import type { UpdateUserStatusRequest, UpdateUserStatusResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listCustomEmojiOf } from '../custom-emoji/custom-emoji.sql';
import { requirePerson } from '../guards';
import { followPresenceSetting } from '../presence/follow-presence-setting';
import { changeSettings, settingEvents } from '../user-settings/change-settings';
import { accessActivePerson } from '../users/access-active-person';
import { userAudience } from '../users/accessible-users';
import { getOwnUser } from '../users/get-own-user';
import { lockUser } from '../users/users.sql';
import { maySetStatuses } from './permissions';
import { statusFromInput, type WantedStatus } from './status-from-input';
import { storeUserStatus } from './statuses.sql';

/** Sets the status of the caller or, for administrators, of somebody else. */
export async function updateUserStatus(
  ctx: Context,
  caller: Caller,
  request: UpdateUserStatusRequest,
): Promise<UpdateUserStatusResponse> {
  const holder = await accessHolder(ctx, caller, request.userId);
  const customEmoji = request.emojiName ? await listCustomEmojiOf(ctx.db, caller.realmId) : [];
  const wanted = statusFromInput(request, customEmoji);
  await storeStatus(ctx, holder, wanted);
  return {};
}

/** Whose status it is. */
async function accessHolder(ctx: Context, caller: Caller, userId: number | undefined): Promise<User> {
  const own = await getOwnUser(ctx, caller);
  if (userId === undefined) {
    requirePerson(own);
    return own;
  }
  const holder = await accessActivePerson(ctx, caller, userId);
  if (!maySetStatuses(own)) throw new BadRequestError('Insufficient permission');
  return holder;
}

/** Announced even when everything is as it was: whoever sets a status wants it to be noticed. */
async function storeStatus(ctx: Context, user: User, wanted: WantedStatus) {
  const { realmId, id: userId } = user;
  const holder = { realmId, userId };
  const { isAway, ...status } = wanted;
  const nowMs = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    if (status.statusText !== undefined || status.emoji)
      await storeUserStatus(tx, { ...holder, ...status, updatedAtMs: nowMs });
    const changed = await changeSettings(tx, holder, isAway === undefined ? {} : { presence_enabled: !isAway });
    const audience = await userAudience(tx, realmId, userId);
    const { presence_enabled: isShown } = changed;
    const seen =
      isShown === undefined
        ? []
        : await followPresenceSetting(tx, holder, { isShown: isShown === true, audience, nowMs });
    const told = userStatusChanged(realmId, { userId, audience, ...wanted });
    await announce(tx, ...settingEvents(user, changed), told, ...seen);
  });
}
