import { Slices } from '@parley/shared/batch';
import { holdersOnlyIn, type ListsByHolder } from '../base/compare-lists';
import type { ChannelVisibility } from './channel-visibility.sql';

/** For each user the visible channels with their rights, archived ones included. */
export type VisibilityByUser = ReadonlyMap<number, ChannelVisibility>;

/** Channels with the same users share the list. */
export type UsersByChannel = ReadonlyMap<number, number[]>;

export interface VisibilityChange {
  gained: UsersByChannel;
  lost: UsersByChannel;
}

/** The users whose visibility of a channel, or whose right in it, has changed. In slices: a group may give thousands access to hundreds. */
export async function compareVisibility(
  before: VisibilityByUser,
  after: VisibilityByUser,
  level: keyof ChannelVisibility,
): Promise<VisibilityChange> {
  const [had, has] = [listsOf(before, level), listsOf(after, level)];
  return {
    gained: await sharingLists(await holdersOnlyIn(has, had)),
    lost: await sharingLists(await holdersOnlyIn(had, has)),
  };
}

function listsOf(visibility: VisibilityByUser, level: keyof ChannelVisibility): ListsByHolder {
  return new Map([...visibility].map(([userId, { [level]: channelIds }]) => [userId, channelIds]));
}

/** In slices, so that later grouping by these lists (see kinds()) reads few of them. */
async function sharingLists(users: UsersByChannel): Promise<UsersByChannel> {
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const lists = new Map<string, number[]>();
  const shared = new Map<number, number[]>();
  for (const [channelId, userIds] of users) {
    if (slices.isUsedUp()) await slices.endSlice();
    const key = userIds.join();
    const list = lists.get(key) ?? userIds;
    lists.set(key, list);
    shared.set(channelId, list);
  }
  return shared;
}
