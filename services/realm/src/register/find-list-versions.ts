import type { Sql } from '@parley/shared/db';
import type { ListVersions } from '@parley/shared/proto';
import { partialSince } from './get-subscriber-lists';
import {
  findChannelsVersion,
  findGroupListVersion,
  findPartialSubscribersVersion,
  findSubscribersVersion,
  findUserListsVersion,
} from './versions.sql';

/** Of what many are told alike; `isPartial`: of the partial lists of subscribers. */
export async function findListVersions(
  sql: Sql,
  realmId: number,
  { nowMs, isPartial }: { nowMs: number; isPartial: boolean },
): Promise<ListVersions> {
  const [users, groups, channels, subscribers] = await Promise.all([
    findUserListsVersion(sql, realmId),
    findGroupListVersion(sql, realmId, nowMs),
    findChannelsVersion(sql, realmId),
    isPartial ? findPartialSubscribersVersion(sql, realmId, partialSince(nowMs)) : findSubscribersVersion(sql, realmId),
  ]);
  return { users, groups, channels, subscribers };
}
