import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { type Audience, type ChannelArchived, flagsChangedFor } from '@parley/shared/events';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { MAX_UNREAD } from './mark-unread';
import { markChannelReadForAll, markLateReadForAll } from './read-state.sql';

/** So many messages may one event name. */
const MESSAGES_AT_ONCE = 5_000;

/**
 * Whatever is in a channel that was archived is read for everybody, and stays so when it is in use again: then also what was being sent
 * while it was archived, and came after all was marked. Clients are told in few events for all subscribers: that names what some had read
 * before, which changes nothing.
 */
export async function readArchivedChannels(
  ctx: Context,
  events: readonly ConsumedEvent<ChannelArchived>[],
): Promise<void> {
  for (const { realmId, payload } of events) {
    const { channel, atMs } = payload;
    if (channel.isArchived) await readFor(ctx, realmId, channel.id, markChannelReadForAll);
    else if (atMs !== undefined) await readFor(ctx, realmId, channel.id, lateUntil(atMs));
  }
}

type Mark = typeof markChannelReadForAll;

function lateUntil(unarchivedAtMs: number): Mark {
  return (tx, realmId, channelId, userIds, limit) =>
    markLateReadForAll(tx, realmId, { channelId, userIds, beforeMs: unarchivedAtMs, limit });
}

async function readFor(ctx: Context, realmId: number, channelId: number, mark: Mark): Promise<void> {
  const { version, subscribers } = await ctx.services.realm.getSubscribers(newCall(), { realmId, channelId });
  const current = subscribers.filter(({ intervals }) => intervals.some(({ toVersion }) => toVersion === undefined));
  const userIds = current.map(({ userId }) => userId).sort((a, b) => a - b);
  if (userIds.length === 0) return;
  await ctx.db.transaction(async (tx) => {
    const messageIds = await mark(tx, realmId, channelId, userIds, MAX_UNREAD);
    const audience: Audience = { to: 'subscribers', channelId, version, isPublic: false };
    for (let begin = 0; begin < messageIds.length; begin += MESSAGES_AT_ONCE) {
      const read = messageIds.slice(begin, begin + MESSAGES_AT_ONCE);
      await announce(tx, flagsChangedFor(realmId, audience, { op: 'add', flag: 'read', messageIds: read }));
    }
  });
}
