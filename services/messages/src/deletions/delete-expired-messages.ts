import { repeatOnConflict } from '@parley/shared/db';
import type { DeleteExpiredMessagesRequest, DeleteExpiredMessagesResponse, Retention } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { FOR_EVER, groupBy } from '@parley/shared/values';
import type { Context } from '../context';
import { type ChannelOfDeletion, deleteMessages, toldOutside } from './delete-messages';
import { listExpiredDirect, listExpiredOfChannels } from './deletion.sql';

const BATCH_SIZE = 100;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Deletes one batch of an organization's messages that are older than their channel, or else the organization, keeps them. The rules
 * are asked for each time: who is told of a deletion, and what is to be kept after all, may have changed since the last batch.
 */
export async function deleteExpiredMessages(
  ctx: Context,
  { realmId }: DeleteExpiredMessagesRequest,
): Promise<DeleteExpiredMessagesResponse> {
  const { realms } = await ctx.services.realm.listRetention(newCall(), { realmId });
  const retention = realms.find((realm) => realm.realmId === realmId);
  const messageIds = retention ? await findExpired(ctx, retention) : [];
  if (!retention || messageIds.length === 0) return { deleted: 0, isComplete: true };
  const deletion = { realmId, messageIds, channels: channelsOf(retention), actorIds: [], nowMs: ctx.clock.now() };
  const deleted = await repeatOnConflict(realmId, async () => {
    const told = await toldOutside(ctx, deletion);
    return ctx.db.transaction((tx) => deleteMessages(tx, told));
  });
  return { deleted: deleted.length, isComplete: false };
}

/** Channels by how long they keep messages, then direct messages. */
async function findExpired({ db, clock }: Context, { realmId, days, channels }: Retention): Promise<number[]> {
  const groups = groupBy(channels, (channel) => channel.days ?? days);
  for (const [limitDays, group] of groups) {
    if (limitDays === FOR_EVER) continue;
    const ids = group.map(({ channelId }) => channelId);
    const expired = await listExpiredOfChannels(db, realmId, ids, clock.now() - limitDays * DAY_MS, BATCH_SIZE);
    if (expired.length > 0) return expired;
  }
  return days === FOR_EVER ? [] : listExpiredDirect(db, realmId, clock.now() - days * DAY_MS, BATCH_SIZE);
}

function channelsOf({ channels }: Retention): Map<number, ChannelOfDeletion> {
  return new Map(channels.map(({ channelId, ...channel }) => [channelId, { id: channelId, ...channel }]));
}
