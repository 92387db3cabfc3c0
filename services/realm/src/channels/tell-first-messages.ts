import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { type Audience, type ChannelBeginningChanged, channelFirstMessageTold } from '@parley/shared/events';
import type { Context } from '../context';
import { audiencesOf } from './channel-audience';
import { lockChannelsByIds } from './channels.sql';

/** Channels begin with another message than before: all who may know of them are told. Called with events of one organization. */
export async function tellFirstMessages(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  events: readonly ConsumedEvent<ChannelBeginningChanged>[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const { realmId } = first;
  const channelIds = [...new Set(events.map(({ payload }) => payload.channel.id))];
  await db.transaction(async (tx) => {
    // Held: to whom a channel appears meanwhile is told with it.
    const channels = await lockChannelsByIds(tx, realmId, channelIds);
    const audiences = await audiencesOf(tx, realmId, channels, clock.now());
    const told = channels.map(({ id: channelId, name, isArchived }) =>
      channelFirstMessageTold(realmId, { channelId, name, isArchived, audience: audiences.get(channelId) as Audience }),
    );
    await announce(tx, ...told);
  });
}
