import { ChangedMeanwhile } from '@parley/shared/db';
import type { ChannelKind, VersionInterval } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { groupBy } from '@parley/shared/values';
import type { Context } from '../context';

/**
 * Outsiders: users who may read a private channel without a subscription and may have messages of it. Public channels need no
 * such list. Only realm knows them; it is asked before locks are taken.
 */
export interface Outsiders {
  /** The users for whom realm was asked, because they have flags on the messages. */
  queriedIds: ReadonlySet<number>;
  readers: readonly { userId: number; intervals: readonly VersionInterval[] }[];
}

/** A channel and, once loaded, its outsiders. */
export type MaybePrivate = Pick<ChannelKind, 'id' | 'isPrivate'> & { outsiders?: Outsiders };

/** The channels, with the outsiders of private ones: one call of realm, none if all are public. */
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
  const queriedIds = new Set(holderIds);
  return channels.map((channel) =>
    channel.isPrivate ? { ...channel, outsiders: { queriedIds, readers: groups.get(channel.id) ?? [] } } : channel,
  );
}

/** Throws if, since realm was asked, other users have got flags on the messages: the caller retries. */
export function requireQueried({ outsiders }: MaybePrivate, holderIds: readonly number[]): void {
  if (outsiders && holderIds.some((userId) => !outsiders.queriedIds.has(userId))) throw new ChangedMeanwhile();
}
