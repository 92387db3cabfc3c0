import { Slices } from '@parley/shared/batch';
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
  return { gained: await difference(after, before, level), lost: await difference(before, after, level) };
}

/** By channel, the users who have it in the first map but not in the second. */
async function difference(
  visibility: VisibilityByUser,
  other: VisibilityByUser,
  level: keyof ChannelVisibility,
): Promise<UsersByChannel> {
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const users = new Map<number, number[]>();
  for (const [userId, { [level]: channelIds }] of visibility) {
    if (slices.isUsedUp()) await slices.endSlice();
    for (const channelId of without(channelIds, other.get(userId)?.[level] ?? [])) {
      const list = users.get(channelId);
      if (list) list.push(userId);
      else users.set(channelId, [userId]);
    }
  }
  return sharingLists(users, slices);
}

function without(ids: readonly number[], known: readonly number[]): readonly number[] {
  if (known.length === 0) return ids;
  const areEqual = ids.length === known.length && ids.every((id, at) => id === known[at]);
  if (areEqual) return [];
  const excluded = new Set(known);
  return ids.filter((id) => !excluded.has(id));
}

async function sharingLists(users: UsersByChannel, slices: Slices): Promise<UsersByChannel> {
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
