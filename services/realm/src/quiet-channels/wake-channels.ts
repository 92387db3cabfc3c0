import type { ConsumedEvent } from '@parley/shared/bus';
import type { ChannelWoken } from '@parley/shared/events';
import type { Context } from '../context';
import { setQuietChannels } from './set-quiet-channels';

/** Somebody has written in quiet channels: they are active again. Called with events of one organization. */
export async function wakeChannels(
  ctx: Pick<Context, 'db' | 'clock'>,
  events: readonly ConsumedEvent<ChannelWoken>[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const channelIds = [...new Set(events.map(({ payload }) => payload.channelId))];
  await setQuietChannels(ctx, { realmId: first.realmId, channelIds, isQuiet: false });
}
