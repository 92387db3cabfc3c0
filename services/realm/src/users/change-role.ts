import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import {
  botCreated,
  botLost,
  type DomainEvent,
  defaultChannelGroupsChanged,
  defaultChannelsChanged,
  type UserRoleChanged,
  userRoleChanged,
} from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { EMAIL_VISIBLE_TO, isAdministrator, isEmailVisibleTo, isGuest, ROLES } from '@parley/shared/values';
import { userAudience } from '../accounts/accessible-users';
import { hasRestrictedGuests } from '../accounts/accessible-users.sql';
import { storeRole } from '../accounts/account-state.sql';
import { hasAddressOf, lockUser } from '../accounts/users.sql';
import { findActor } from '../actors/actors.sql';
import { botManagerIds, managerIdsOf } from '../bot-owners/bot-manager-ids';
import { type BotRow, findBot, listManagedBots } from '../bot-owners/bots.sql';
import { watchVisibility } from '../channel-access/channel-visibility';
import { systemGroupMoves } from '../groups/system-group-moves';
import { listDefaultChannelGroups } from '../organization-lists/default-channel-groups.sql';
import { listDefaultChannelIds } from '../organization-lists/default-channels.sql';

/**
 * Changes an account's role, and announces it: to everybody, then the changes of groups, then to the user the newly visible or hidden
 * objects. The caller has checked permissions.
 */
export async function changeRole(tx: Transaction, user: User, role: number, nowMs: number): Promise<void> {
  const { realmId, id } = user;
  // Nobody subscribes the user between the comparisons of what they may see.
  await lockUser(tx, realmId, id);
  const change = () => announceRoleLists(tx, user, role, () => storeAndAnnounce(tx, user, role, nowMs));
  await watchVisibility(tx, realmId, { userIds: [id], channelIds: null }, nowMs, change);
}

async function storeAndAnnounce(tx: Transaction, user: User, role: number, nowMs: number): Promise<void> {
  const { realmId, id: userId } = user;
  const from = await standingOf(tx, user, nowMs);
  await storeRole(tx, realmId, userId, role);
  const to = await standingOf(tx, user, nowMs);
  const audience = await userAudience(tx, realmId, userId);
  const endsQueues = await endingQueues(tx, user, role);
  await announce(
    tx,
    userRoleChanged(realmId, { userId, role, audience, endsQueues }),
    ...(await systemGroupMoves(tx, realmId, userId, from, to)),
  );
}

/**
 * Guests get no events of channels they are not in; restricted guests, and only they, meet unknown users. Other addresses may be visible to
 * the new role: they can be as many as the users, so there are no events of them.
 */
async function endingQueues(
  tx: Transaction,
  { realmId, id, role: former }: User,
  role: number,
): Promise<UserRoleChanged['endsQueues']> {
  const visibilities = VISIBILITIES.filter((each) => isEmailVisibleTo(role, each) !== isEmailVisibleTo(former, each));
  if (await hasAddressOf(tx, realmId, visibilities, id)) return 'all';
  if (isGuest(role) === isGuest(former)) return 'none';
  if (await hasRestrictedGuests(tx, realmId)) return 'all';
  return isGuest(role) ? 'wide' : 'none';
}

const VISIBILITIES = Object.values(EMAIL_VISIBLE_TO);

/** Null: deactivated users are in no group. */
async function standingOf(tx: Transaction, { realmId, id, isActive }: User, nowMs: number) {
  const row = isActive ? await findActor(tx, realmId, id, nowMs) : null;
  return row && { role: row.user.role, isFullMember: row.standing <= ROLES.member };
}

/**
 * Runs a change of an account's role, and announces the user's changed lists: people who are administrators manage all bots, and default channels are
 * hidden from guests.
 */
async function announceRoleLists(
  tx: Transaction,
  user: User,
  role: number,
  change: () => Promise<void>,
): Promise<void> {
  const changesBots = !user.isBot && [isAdministrator, isOwner].some((has) => has(role) !== has(user.role));
  const before = changesBots ? await listManagedBots(tx, user.realmId, user.id) : [];
  const managerIds = user.isBot ? await botManagerIds(tx, user.realmId, user.id) : [];
  await change();
  if (user.isBot) await announceManagers(tx, user, managerIds);
  const after = changesBots ? await listManagedBots(tx, user.realmId, user.id) : [];
  const changesDefaults = isGuest(role) !== isGuest(user.role);
  await announce(
    tx,
    ...botMoves(user, before, after),
    ...(changesDefaults ? await defaultsShown(tx, user, isGuest(role)) : []),
  );
}

/** Managers of bots differ when a bot becomes an owner, or ceases to be. */
async function announceManagers(tx: Transaction, { realmId, id: botId }: User, formerIds: readonly number[]) {
  const row = await findBot(tx, realmId, botId);
  if (row === null) return;
  const managerIds = await managerIdsOf(tx, row);
  const lost = formerIds.filter((id) => !managerIds.includes(id));
  const gained = managerIds.filter((id) => !formerIds.includes(id));
  await announce(
    tx,
    ...(lost.length > 0 ? [botLost(realmId, { botId, userIds: lost })] : []),
    ...(gained.length > 0 ? [botCreated(realmId, { bot: row.bot, managerIds: gained })] : []),
  );
}

function isOwner(role: number): boolean {
  return role === ROLES.owner;
}

function botMoves({ realmId, id }: User, before: readonly BotRow[], after: readonly BotRow[]): DomainEvent[] {
  const idOf = ({ bot }: BotRow) => bot.user.id;
  const [managed, known] = [new Set(after.map(idOf)), new Set(before.map(idOf))];
  const lost = before.filter((row) => !managed.has(idOf(row)));
  const gained = after.filter((row) => !known.has(idOf(row)));
  return [
    ...lost.map((row) => botLost(realmId, { botId: idOf(row), userIds: [id] })),
    ...gained.map(({ bot }) => botCreated(realmId, { bot, managerIds: [id] })),
  ];
}

async function defaultsShown(tx: Transaction, { realmId, id }: User, areHidden: boolean): Promise<DomainEvent[]> {
  const channelIds = areHidden ? [] : await listDefaultChannelIds(tx, realmId);
  const groups = areHidden ? [] : await listDefaultChannelGroups(tx, realmId);
  return [
    defaultChannelsChanged(realmId, { channelIds, receiverIds: [id] }),
    defaultChannelGroupsChanged(realmId, { groups, receiverIds: [id] }),
  ];
}
