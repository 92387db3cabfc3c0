import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { type Audience, type ChannelWoken, channelChanged } from '@parley/shared/events';
import type {
  AgedChannels,
  ListAgedChannelsRequest,
  SetQuietChannelsRequest,
  SetQuietChannelsResponse,
} from '@parley/shared/proto';
import { audiencesOf } from '../channel-access/channel-audience';
import { lockBareChannels } from '../channel-access/channels.sql';
import type { Context } from '../context';
import { holdRealm } from '../organization/realms.sql';
import { listAgedChannels as loadAgedChannels, updateIsQuiet } from './quiet-channels.sql';

const MAX_CHANNELS = 1_000;
const BEFORE_ALL = { realmId: 0, channelId: 0 };

/** Channels old enough to be quiet, and whether they are; for the periodic check of all channels. */
export async function listAgedChannels(
  { db }: Context,
  { createdBeforeMs, after, limit }: ListAgedChannelsRequest,
): Promise<AgedChannels> {
  if (limit > MAX_CHANNELS) throw new BadRequestError(`Too many channels in one call (limit: ${MAX_CHANNELS})`);
  return { channels: await loadAgedChannels(db, createdBeforeMs, after ?? BEFORE_ALL, limit) };
}

type Needed = Pick<Context, 'db' | 'clock'>;

/** Marks channels as quiet or active. Announces only actual changes, also when calls are concurrent. */
export async function setQuietChannels(
  { db, clock }: Needed,
  { realmId, channelIds, isQuiet }: SetQuietChannelsRequest,
): Promise<SetQuietChannelsResponse> {
  if (channelIds.length > MAX_CHANNELS)
    throw new BadRequestError(`Too many channels in one call (limit: ${MAX_CHANNELS})`);
  await db.transaction(async (tx) => {
    await holdRealm(tx, realmId);
    const held = await lockBareChannels(tx, realmId, channelIds);
    const others = held.filter((channel) => (channel.isQuiet === true) !== isQuiet);
    if (others.length === 0) return;
    const ids = others.map(({ id }) => id);
    await updateIsQuiet(tx, realmId, ids, isQuiet);
    const audiences = await audiencesOf(tx, realmId, others, clock.now());
    const events = others.map(({ id: channelId, name, isArchived }) => {
      const audience = audiences.get(channelId) as Audience;
      return channelChanged(realmId, { channelId, name, isArchived, change: { isQuiet }, audience });
    });
    await announce(tx, ...events);
  });
  return {};
}

/** Marks quiet channels with new messages as active. Called with events of one organization. */
export async function wakeChannels(
  ctx: Pick<Context, 'db' | 'clock'>,
  events: readonly ConsumedEvent<ChannelWoken>[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const channelIds = [...new Set(events.map(({ payload }) => payload.channelId))];
  await setQuietChannels(ctx, { realmId: first.realmId, channelIds, isQuiet: false });
}
