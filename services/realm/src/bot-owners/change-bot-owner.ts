import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { botOwnerChanged } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { isAdministrator } from '@parley/shared/values';
import { storeBotOwner } from '../accounts/account-state.sql';
import { isOwnersBot } from '../accounts/permissions';
import { findUser } from '../accounts/users.sql';
import { loadActor } from '../actors/actor';
import { viewerOf } from '../channel-access/access-channel';
import { loadChannels } from '../channel-access/channels.sql';
import { hasContentAccess } from '../channel-access/permissions';
import type { Context } from '../context';
import { removeSubscriptions } from '../subscriptions/end-subscriptions';
import { listSubscriptionsOf } from '../subscriptions/subscriptions.sql';
import { managerIdsOf } from './bot-manager-ids';
import { type BotRow, findBot } from './bots.sql';

/**
 * Gives a bot to another person. The bot leaves private channels that the new owner cannot read, so that it gives no access to them. The
 * caller has locked the bot's row and checked that the new owner is an active person.
 */
export async function changeBotOwner(ctx: Context, tx: Transaction, former: User, owner: User): Promise<void> {
  const { realmId, id: botId } = former;
  if (former.botOwnerId === owner.id) return;
  await storeBotOwner(tx, realmId, botId, owner.id);
  await announceOwner(tx, former, owner);
  const channelIds = await listChannelsToLeave(ctx, tx, realmId, { botId, ownerId: owner.id });
  if (channelIds.length > 0) await removeSubscriptions(ctx, tx, { realmId, channelIds, userIds: [botId] });
}

async function announceOwner(tx: Transaction, { realmId, id, botOwnerId }: User, owner: User): Promise<void> {
  const row = (await findBot(tx, realmId, id)) as BotRow;
  const formerOwner = botOwnerId === undefined ? null : await findUser(tx, realmId, botOwnerId);
  // Administrators see all bots before and after; bots with the role of owner are seen by owners only.
  const dependsOnOwner = (person: User) => !isAdministrator(person.role) && !isOwnersBot(row.bot.user);
  const lostByIds = formerOwner?.isActive && dependsOnOwner(formerOwner) ? [formerOwner.id] : [];
  const gainedByIds = dependsOnOwner(owner) ? [owner.id] : [];
  const keptByIds = (await managerIdsOf(tx, row)).filter((managerId) => !gainedByIds.includes(managerId));
  await announce(tx, botOwnerChanged(realmId, { bot: row.bot, lostByIds, gainedByIds, keptByIds }));
}

async function listChannelsToLeave(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  { botId, ownerId }: { botId: number; ownerId: number },
): Promise<number[]> {
  const subscriptions = await listSubscriptionsOf(tx, realmId, [botId, ownerId]);
  const channelIdsOf = (userId: number) =>
    subscriptions.filter((subscription) => subscription.userId === userId).map(({ channelId }) => channelId);
  const ownerChannelIds = new Set(channelIdsOf(ownerId));
  const actor = await loadActor(tx, { realmId, userId: ownerId }, ctx.clock.now());
  const channels = await loadChannels(tx, realmId, channelIdsOf(botId));
  return channels
    .filter((channel) => channel.isPrivate)
    .filter((channel) => !hasContentAccess(channel, viewerOf(actor, channel, ownerChannelIds.has(channel.id))))
    .map(({ id }) => id);
}
