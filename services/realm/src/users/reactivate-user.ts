import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import { userReactivated } from '@parley/shared/events';
import type { ReactivateUserRequest, ReactivateUserResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import {
  announceGuestVisibilityChange,
  audienceWithout,
  listStrangerIds,
  loadGuestVisibility,
  userAudience,
} from '../accounts/accessible-users';
import { storeActivity } from '../accounts/account-state.sql';
import { findShownStatuses } from '../accounts/statuses.sql';
import { findUser } from '../accounts/users.sql';
import { loadActor } from '../actors/actor';
import { hasApiKey } from '../api-keys/api-keys.sql';
import { issueBotKey } from '../api-keys/bot-keys';
import { nameKey } from '../base/name-key';
import { botManagerIds } from '../bot-owners/bot-manager-ids';
import { isActiveNameTaken } from '../bot-owners/bots.sql';
import { changeBotOwner } from '../bot-owners/change-bot-owner';
import { mayCreateBot } from '../bot-owners/permissions';
import type { Context } from '../context';
import { loadRealmGroupSettings } from '../group-settings/complete-settings';
import { activationInGroups } from '../groups/activation-in-groups';
import { changeAccounts } from '../people/change-accounts';
import { accessAdministered } from '../people/find-user';
import { presenceShownAgain } from '../presence/presence';
import { resumeSubscriptions } from '../subscriptions/begin-subscriptions';
import { holdSubscriptionsOf } from '../subscriptions/subscriptions.sql';
import { announceShownSettings, loadSettingsNaming } from './settings-naming';

/** Reactivates an account, a person's or a bot's, with its subscriptions and keys. Idempotent. */
export async function reactivateUser(
  ctx: Context,
  caller: Caller,
  { userId }: ReactivateUserRequest,
): Promise<ReactivateUserResponse> {
  return changeAccounts(ctx, caller, async (tx, actor) => {
    const user = await accessAdministered(tx, actor, { id: userId });
    if (user.isActive) return {};
    if (user.isBot) await requireMayReactivateBot(ctx, tx, actor, user);
    await reactivateAccount(ctx, tx, user);
    if (user.isBot) await adoptOrphan(ctx, tx, actor, user);
    return {};
  });
}

async function requireMayReactivateBot(ctx: Context, tx: Transaction, { realmId, id }: User, bot: User): Promise<void> {
  const actor = await loadActor(tx, { realmId, userId: id }, ctx.clock.now());
  const rights = await loadRealmGroupSettings(tx, realmId);
  if (!mayCreateBot(actor, rights, bot.botType as number)) throw new InsufficientPermissionError();
  const { fullName } = bot;
  if (await isActiveNameTaken(tx, realmId, { fullName, fullNameKey: nameKey(fullName), exceptId: bot.id })) {
    throw new BadRequestError(
      `There is already an active bot named "${fullName}" in this organization. To reactivate this bot, you must rename or ` +
        'deactivate the other one first.',
    );
  }
}

/** Reactivates an inactive account and announces it. The caller has checked permissions and locked the organization's row. */
export async function reactivateAccount(ctx: Context, tx: Transaction, user: User): Promise<void> {
  const { realmId, id: userId } = user;
  const nowMs = ctx.clock.now();
  const settings = await loadSettingsNaming(tx, realmId, [userId], nowMs);
  const subscriptions = await holdSubscriptionsOf(tx, realmId, [userId]);
  const visibility = await loadGuestVisibility(tx, realmId, [userId]);
  // Guests who meet the user again get the whole person instead.
  const strangerIds = await listStrangerIds(tx, realmId, userId);
  await storeActivity(tx, realmId, [userId], true);
  // Its former keys are valid again, unless they were revoked.
  if (user.isBot && !(await hasApiKey(tx, realmId, userId))) {
    await issueBotKey(tx, ctx.config.BOT_KEY_SECRET, { realmId, userId, createdAtMs: nowMs });
  }
  const managerIds = user.isBot ? await botManagerIds(tx, realmId, userId) : [];
  const audience = audienceWithout(strangerIds);
  const status = (await findShownStatuses(tx, realmId, [userId])).get(userId);
  await announce(
    tx,
    userReactivated(realmId, { userId, audience, managerIds, status }),
    ...(await activationInGroups(tx, { realmId, userIds: [userId], areActive: true, nowMs })),
  );
  await announceGuestVisibilityChange(tx, realmId, visibility, [userId]);
  // Those who meet the user included.
  const seers = await userAudience(tx, realmId, userId);
  await announce(tx, ...(await presenceShownAgain(tx, user, { audience: seers, nowMs })));
  await resumeSubscriptions(ctx, tx, realmId, subscriptions);
  await announceShownSettings(tx, realmId, settings, nowMs);
}

/** A bot with a deactivated owner gets the actor as its owner. */
async function adoptOrphan(ctx: Context, tx: Transaction, actor: User, bot: User): Promise<void> {
  const owner = bot.botOwnerId === undefined ? null : await findUser(tx, bot.realmId, bot.botOwnerId);
  if (!owner?.isActive) await changeBotOwner(ctx, tx, bot, actor);
}
