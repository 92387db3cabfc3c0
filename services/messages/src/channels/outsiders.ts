import { ChangedMeanwhile } from '@parley/shared/db';
import type { ChannelKind, VersionInterval } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { groupBy } from '@parley/shared/values';
import type { Context } from '../context';

/**
 * Users who may read a private channel without a subscription, as far as they may have messages of it. Public channels are
 * everybody's; only realm knows private ones. Asked before locks are taken.
 */
export interface Outsiders {
  /** Users who were asked about, as they have something of their own on the messages. */
  askedIds: ReadonlySet<number>;
  readers: readonly { userId: number; intervals: readonly VersionInterval[] }[];
}

/** A channel, and, once they were asked for, its outsiders. */
export type MaybePrivate = Pick<ChannelKind, 'id' | 'isPrivate'> & { outsiders?: Outsiders };

/** The channels, of which the private ones have their outsiders: one call of realm, or none where all are public. */
export async function withOutsiders<C extends MaybePrivate>(
  { services }: Pick<Context, 'services'>,
  realmId: number,
  channels: readonly C[],
  holderIds: readonly number[],
): Promise<C[]> {
  const channelIds = channels.filter(({ isPrivate }) => isPrivate).map(({ id }) => id);
  if (channelIds.length === 0) return [...channels];
  const asked = { realmId, channelIds, userIds: [...holderIds] };
  const groups = groupBy((await services.realm.listOutsideReaders(newCall(), asked)).readers, (one) => one.channelId);
  const askedIds = new Set(holderIds);
  return channels.map((channel) =>
    channel.isPrivate ? { ...channel, outsiders: { askedIds, readers: groups.get(channel.id) ?? [] } } : channel,
  );
}

/** Throws when other users have flags on the messages by now than those that realm was asked about: the caller retries. */
export function requireAsked({ outsiders }: MaybePrivate, holderIds: readonly number[]): void {
  if (outsiders && holderIds.some((userId) => !outsiders.askedIds.has(userId))) throw new ChangedMeanwhile();
}
