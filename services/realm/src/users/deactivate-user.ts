import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import {
  BadRequestError,
  CannotDeactivateLastUserError,
  InsufficientPermissionError,
  NothingToDoError,
} from '@parley/shared/errors';
import { type DomainEvent, userDeactivated } from '@parley/shared/events';
import type { DeactivateUserRequest, DeactivateUserResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenInLines, isAdministrator, ROLES } from '@parley/shared/values';
import { audienceWithout, compareGuestVisibility, loadGuestVisibility } from '../accounts/accessible-users';
import { listStrangers } from '../accounts/accessible-users.sql';
import {
  countOwners,
  hasOtherPeople,
  lockActiveWithBots,
  ownsOwnersBot,
  storeActivity,
} from '../accounts/account-state.sql';
import { requireMayDeactivate } from '../accounts/permissions';
import { endSessions } from '../api-keys/api-keys';
import { listBotManagerIds } from '../bot-owners/bot-manager-ids';
import type { Context } from '../context';
import { activationInGroups } from '../groups/activation-in-groups';
import { changeAccounts } from '../people/change-accounts';
import { findNamedUser } from '../people/find-user';
import { suspendSubscriptions } from '../subscriptions/end-subscriptions';
import { holdSubscriptionsOf } from '../subscriptions/subscriptions.sql';
import { putDeactivationMail } from './deactivation-mail';
import { announceShownSettings, loadSettingsNaming } from './settings-naming';

const MAX_COMMENT_LENGTH = 2_000;

/** Deactivates a person's account. Bots have their own endpoint. */
export async function deactivateUser(
  ctx: Context,
  caller: Caller,
  { userId, notificationComment }: DeactivateUserRequest,
): Promise<DeactivateUserResponse> {
  const comment = commentFromInput(notificationComment);
  return changeAccounts(ctx, caller, async (tx, actor) => {
    const person = await findNamedUser(tx, actor, { id: userId });
    requireActivePerson(actor, person);
    requireMayDeactivate(actor, person, {
      isLastOwner: await isLastOwner(tx, person),
      ownsOwnersBot: await ownsOwnersBot(tx, person),
    });
    if (comment !== null) await putDeactivationMail(tx, person, { comment, nowMs: ctx.clock.now() });
    await deactivateAccount(ctx, tx, person.realmId, person.id);
    return {};
  });
}

/** Null: no mail to the user. */
function commentFromInput(text: string | undefined): string | null {
  const comment = text?.trim() ?? null;
  if (comment !== null && codePointLength(comment) > MAX_COMMENT_LENGTH) {
    throw new BadRequestError(
      `deactivation_notification_comment is too long (limit: ${MAX_COMMENT_LENGTH} characters)`,
    );
  }
  const position = findForbiddenInLines(comment ?? '');
  if (position !== null) {
    throw new BadRequestError(`Invalid character in deactivation_notification_comment, at position ${position}.`);
  }
  return comment;
}

function requireActivePerson(actor: User, person: User): void {
  if (person.isBot) throw new BadRequestError('No such user');
  if (!isAdministrator(actor.role)) throw new InsufficientPermissionError();
  if (!person.isActive) throw new NothingToDoError(REFUSAL.people.deactivated);
}

/** Deactivates the caller's own account, a person's or a bot's. The last person and the last owner must stay. */
export async function deactivateOwnUser(ctx: Context, caller: Caller): Promise<DeactivateUserResponse> {
  return changeAccounts(ctx, caller, async (tx, { id, realmId, role, isBot }) => {
    if (!isBot) {
      if (!(await hasOtherPeople(tx, realmId, id))) throw new CannotDeactivateLastUserError('user');
      if (role === ROLES.owner && (await countOwners(tx, realmId)) === 1)
        throw new CannotDeactivateLastUserError('organization owner');
    }
    await deactivateAccount(ctx, tx, realmId, id);
    return {};
  });
}

/**
 * Deactivates an account after the bots that it owns: ends sessions, suspends keys and subscriptions, and announces it. Does nothing for inactive
 * accounts. The caller has checked permissions.
 */
export async function deactivateAccount(ctx: Context, tx: Transaction, realmId: number, userId: number): Promise<void> {
  const accounts = await lockActiveWithBots(tx, realmId, userId);
  if (!accounts.some(({ id }) => id === userId)) return;
  const ids = accounts.map(({ id }) => id);
  const nowMs = ctx.clock.now();
  const settings = await loadSettingsNaming(tx, realmId, ids, nowMs);
  const subscriptions = await holdSubscriptionsOf(tx, realmId, ids);
  const visibility = await loadGuestVisibility(tx, realmId, ids);
  await storeActivity(tx, realmId, ids, false);
  await endSessions(tx, { realmId, userIds: ids }, nowMs);
  await suspendSubscriptions(ctx, tx, realmId, subscriptions);
  const { lost } = await compareGuestVisibility(tx, realmId, visibility);
  await announceDeactivations(ctx, tx, accounts, lost);
  await announceShownSettings(tx, realmId, settings, nowMs);
}

async function announceDeactivations(
  ctx: Context,
  tx: Transaction,
  accounts: readonly User[],
  lost: ReadonlyMap<number, number[]>,
): Promise<void> {
  const [{ realmId }] = accounts as [User];
  const ids = accounts.map(({ id }) => id);
  const found = await listStrangers(tx, realmId, ids);
  const strangers = new Map(found.map(({ userId, guestIds }) => [userId, guestIds]));
  const managers = await listBotManagerIds(tx, realmId, ids);
  const change = { realmId, userIds: ids, areActive: false, nowMs: ctx.clock.now() };
  const events: DomainEvent[] = await activationInGroups(tx, change);
  for (const user of accounts) {
    const strangerIds = strangers.get(user.id) ?? [];
    const deactivated = userDeactivated(realmId, {
      userId: user.id,
      isBot: user.isBot,
      audience: audienceWithout(strangerIds),
      lostByIds: lost.get(user.id) ?? [],
      managerIds: managers.get(user.id) ?? [],
    });
    events.push(deactivated);
  }
  await announce(tx, ...events);
}

/** Whether no other active person owns the organization; bots do not count. */
export async function isLastOwner(sql: Sql, { realmId, role, isBot, isActive }: User): Promise<boolean> {
  if (role !== ROLES.owner || isBot || !isActive) return false;
  return (await countOwners(sql, realmId)) === 1;
}
