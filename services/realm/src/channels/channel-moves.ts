import { type ChannelAppeared, channelAppeared, channelVanished, type DomainEvent } from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { groupBy } from '@parley/shared/values';

/** Of the channels that one event lists: some thousands of them, and well below what the broker takes at once. */
const MAX_BYTES = 3 * 1024 ** 2;

/** A channel that appears for users, or vanishes for them. */
export interface ChannelMove {
  channel: Channel;
  userIds: number[];
}

/** Tells users of the channels that appear for them: in one event those that appear for the same users. */
export function appearanceEvents(realmId: number, moves: readonly ChannelMove[]): DomainEvent[] {
  return together(moves).flatMap(({ channels, userIds }) =>
    jointAppearances(realmId, channels, { to: 'users', userIds }),
  );
}

/** The same of channels that appear for one audience; one event, unless they are very many. */
export function jointAppearances(
  realmId: number,
  channels: readonly Channel[],
  audience: ChannelAppeared['audience'],
): DomainEvent[] {
  return inPieces(channels).map(([channel, ...others]) =>
    channelAppeared(realmId, { channel: channel as Channel, ...(others.length > 0 && { others }), audience }),
  );
}

/** Tells users of the channels that vanish for them: in one event those that vanish for the same users. */
export function disappearanceEvents(realmId: number, moves: readonly ChannelMove[]): DomainEvent[] {
  return together(moves).map(({ channels, userIds }) => {
    const [channel, ...others] = channels.map(({ id, isArchived }) => ({ channelId: id, isArchived }));
    return channelVanished(realmId, { ...(channel as NonNullable<typeof channel>), others, userIds });
  });
}

/** The channels as events about subscribers name them. */
export function idsOf(channels: readonly Channel[]): { channelIds: number[]; archivedIds?: number[] } {
  const archivedIds = channels.filter(({ isArchived }) => isArchived).map(({ id }) => id);
  return { channelIds: channels.map(({ id }) => id), ...(archivedIds.length > 0 && { archivedIds }) };
}

function together(moves: readonly ChannelMove[]): { channels: Channel[]; userIds: number[] }[] {
  const present = moves.filter(({ userIds }) => userIds.length > 0);
  return [...groupBy(present, ({ userIds }) => userIds.join()).values()].map((group) => ({
    channels: group.map(({ channel }) => channel),
    userIds: (group[0] as ChannelMove).userIds,
  }));
}

function inPieces(channels: readonly Channel[]): Channel[][] {
  const pieces: Channel[][] = [];
  let bytes = 0;
  for (const channel of channels) {
    const added = Buffer.byteLength(JSON.stringify(channel));
    const piece = pieces.at(-1);
    if (piece && bytes + added <= MAX_BYTES) {
      piece.push(channel);
      bytes += added;
    } else {
      pieces.push([channel]);
      bytes = added;
    }
  }
  return pieces;
}
