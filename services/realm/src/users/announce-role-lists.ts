import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import {
  botCreated,
  botLost,
  type DomainEvent,
  defaultChannelGroupsChanged,
  defaultChannelsChanged,
} from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { isAdministrator, isGuest } from '@parley/shared/values';
import { type BotRow, listManagedBots } from '../bots/bots.sql';
import { listDefaultChannelGroups } from '../default-channel-groups/default-channel-groups.sql';
import { listDefaultChannelIds } from '../default-channels/default-channels.sql';

/**
 * Does what gives an account another role, and tells the user of the lists that are longer or shorter by it: administrators manage
 * all bots, and new people's channels are no guests' business.
 */
export async function announceRoleLists(
  tx: Transaction,
  user: User,
  role: number,
  change: () => Promise<void>,
): Promise<void> {
  const changesBots = isAdministrator(role) !== isAdministrator(user.role);
  const before = changesBots ? await listManagedBots(tx, user.realmId, user.id) : [];
  await change();
  const after = changesBots ? await listManagedBots(tx, user.realmId, user.id) : [];
  const changesDefaults = isGuest(role) !== isGuest(user.role);
  await announce(
    tx,
    ...botMoves(user, before, after),
    ...(changesDefaults ? await defaultsShown(tx, user, isGuest(role)) : []),
  );
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
