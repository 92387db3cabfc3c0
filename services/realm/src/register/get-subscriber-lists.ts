import type { GetSubscriberListsRequest, SubscriberLists } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listSubscribersAsJson, type PartialView } from './subscriber-lists.sql';
import { findPartialSubscribersVersion, findSubscribersVersion } from './versions.sql';

/** Larger channels have part of their subscribers in partial lists. */
const MAX_SUBSCRIBERS_IN_FULL = 1_000;
const DAY_MS = 24 * 3600_000;
/** Whoever was there since the day so many days ago began is in every partial list: from day to day nobody drops out. */
const RECENT_DAYS = 14;
const EVERYBODY: PartialView = { maxSubscribersInFull: Number.MAX_SAFE_INTEGER, presentSinceMs: 0 };

/** Who is subscribed to each channel, as JSON; nothing of it to an asker who has it all. */
export async function getSubscriberLists(
  ctx: Context,
  { realmId }: Caller,
  { knownVersion, isPartial }: GetSubscriberListsRequest,
): Promise<SubscriberLists> {
  const view: PartialView = isPartial
    ? { maxSubscribersInFull: MAX_SUBSCRIBERS_IN_FULL, presentSinceMs: partialSince(ctx.clock.now()) }
    : EVERYBODY;
  const { result } = await ctx.db.readAtOnce(async (sql) => {
    const version = await (isPartial
      ? findPartialSubscribersVersion(sql, realmId, view.presentSinceMs)
      : findSubscribersVersion(sql, realmId));
    return { version, lists: version === knownVersion ? null : await listSubscribersAsJson(sql, realmId, view) };
  });
  const { version, lists } = result;
  if (lists === null) return { version, isKnown: true, lists: [] };
  return {
    version,
    isKnown: false,
    lists: lists.map((list) => ({ ...list, userIds: Buffer.from(list.userIds) })),
  };
}

/** Who was there since then is in every partial list. */
export function partialSince(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) - RECENT_DAYS) * DAY_MS;
}
