import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, userDeactivated } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { listBotManagerIds } from '../bots/bot-manager-ids';
import type { Context } from '../context';
import { presenceInGroups } from '../groups/presence-in-groups';
import { suspendSubscriptions } from '../subscriptions/suspend-subscriptions';
import { audienceWithout } from './accessible-users';
import { listStrangers } from './accessible-users.sql';
import { lockActiveWithBots, storeActivity } from './account-state.sql';
import { compareGuestSight, guestsByUser, loadGuestSight } from './guest-sight';
import { announceShownSettings, loadSettingsNaming } from './settings-naming';

/**
 * Takes an account out of use, and before it the bots that it owns: keys and subscriptions are suspended, everybody is told. An account
 * that is not active stays as it is. Whether the caller may do this has been decided.
 */
export async function deactivateAccount(ctx: Context, tx: Transaction, realmId: number, userId: number): Promise<void> {
  const accounts = await lockActiveWithBots(tx, realmId, userId);
  if (!accounts.some(({ id }) => id === userId)) return;
  const ids = accounts.map(({ id }) => id);
  const nowMs = ctx.clock.now();
  const sight = await loadGuestSight(tx, realmId, ids);
  const settings = await loadSettingsNaming(tx, realmId, ids, nowMs);
  await storeActivity(tx, realmId, ids, false);
  await suspendSubscriptions(ctx, tx, realmId, ids);
  const { lost } = await compareGuestSight(tx, realmId, sight);
  await announceDeactivations(ctx, tx, accounts, guestsByUser(lost));
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
  const events: DomainEvent[] = await presenceInGroups(tx, change);
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
