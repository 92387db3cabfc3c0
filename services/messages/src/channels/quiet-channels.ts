// Quiet channels: once an hour one replica looks at the newest message of every channel older than 180 days, in batches of one statement, and tells realm
// which ones have become quiet or are no longer so. A sender learns from realm's facts that a channel is quiet; only such a message is stored alone
// and announces channel.woken. The next review finds messages that arrive by a move, or at the very moment when the channel becomes quiet.

import { runPeriodically } from '@parley/shared/jobs';
import type { AgedChannel } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { areQuiet } from './channel-activity.sql';

const EVERY_MS = 60 * 60_000;
const LOCK = 'parley-quiet-channels';

type Needed = Pick<Context, 'db' | 'clock' | 'log' | 'services'>;

/** Reviews every hour which channels are quiet, on one replica at a time, until the returned function is called. */
export function reviewQuietChannelsPeriodically(ctx: Needed): () => Promise<void> {
  const lock = { url: ctx.db.url, name: LOCK };
  const failure = 'it could not be found out which channels are quiet';
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure, lock }, (stopping) => reviewQuietChannels(ctx, stopping));
}

/** A channel is quiet after this time without messages; younger channels are never quiet. */
const QUIET_AFTER_MS = 180 * 24 * 3600 * 1000;
const BATCH_SIZE = 500;

type ReviewContext = Pick<Context, 'db' | 'clock' | 'services'>;

/**
 * Finds the quiet channels of all organizations, and reports changes to realm. A message sent at the same moment may be missed;
 * the next review finds the channel active.
 */
export async function reviewQuietChannels(ctx: ReviewContext, stopping?: AbortSignal): Promise<void> {
  const sinceMs = ctx.clock.now() - QUIET_AFTER_MS;
  let after: AgedChannel | undefined;
  while (!stopping?.aborted) {
    const request = { createdBeforeMs: sinceMs, limit: BATCH_SIZE, ...(after && { after }) };
    const { channels } = await ctx.services.realm.listAgedChannels(newCall(), request);
    await reviewBatch(ctx, channels, sinceMs);
    if (channels.length < BATCH_SIZE) return;
    after = channels.at(-1);
  }
}

async function reviewBatch(
  { db, services }: ReviewContext,
  channels: readonly AgedChannel[],
  sinceMs: number,
): Promise<void> {
  const found = await areQuiet(db, channels, sinceMs);
  const others = channels.filter(({ isQuiet }, index) => isQuiet !== found[index]);
  for (const realmId of new Set(others.map((channel) => channel.realmId))) {
    for (const isQuiet of [true, false]) {
      const changed = others.filter((channel) => channel.realmId === realmId && channel.isQuiet !== isQuiet);
      const channelIds = changed.map(({ channelId }) => channelId);
      if (channelIds.length > 0) await services.realm.setQuietChannels(newCall(), { realmId, channelIds, isQuiet });
    }
  }
}
