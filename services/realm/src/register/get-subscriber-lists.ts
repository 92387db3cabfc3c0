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
    ? { maxSubscribersInFull: MAX_SUBSCRIBERS_IN_FULL, presentSinceMs: presentSinceMs(ctx.clock.now()) }
    : EVERYBODY;
  // Before the lists: what they tell is of this version or of a later one, which the next to ask gets to see.
  const version = await (isPartial
    ? findPartialSubscribersVersion(ctx.db, realmId, view.presentSinceMs)
    : findSubscribersVersion(ctx.db, realmId));
  if (version === knownVersion) return { version, isKnown: true, lists: [] };
  const lists = await listSubscribersAsJson(ctx.db, realmId, view);
  return {
    version,
    isKnown: false,
    lists: lists.map((list) => ({ ...list, userIds: Buffer.from(list.userIds) })),
  };
}

function presentSinceMs(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) - RECENT_DAYS) * DAY_MS;
}
