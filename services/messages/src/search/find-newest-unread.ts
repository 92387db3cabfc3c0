import type { Sql } from '@parley/shared/db';
import type { Reader } from '../access/permissions';
import { findNewestId, findUnread, type UnreadPlace, type UnreadQuery } from './find-unread.sql';

/** A window is made wider than what seems to be needed, so that the next one is seldom. */
const MARGIN = 1.25;
const MAX_WIDENING = 8;

interface NewestUnread {
  places: UnreadPlace[];
  /** There may be more that is unread, and older: these are as many as were wanted. */
  hasOlder: boolean;
}

/**
 * The newest unread messages of the reader, at most `limit`, by place. Most have fewer: they are read at once. Of who has more, windows of
 * ids are read from the newest end on, each as wide as the last one suggests: what is older is not looked at.
 */
export async function findNewestUnread(sql: Sql, reader: Reader, query: UnreadQuery): Promise<NewestUnread> {
  const { limit } = query;
  const some = await findUnread(sql, reader, query);
  if (countOf(some) < limit) return { places: some, hasOlder: false };
  const found: UnreadPlace[] = [];
  let toId = (await findNewestId(sql, reader.realm.id)) ?? 0;
  let [missing, size] = [limit, limit];
  while (missing > 0 && toId > 0) {
    const window = await findUnread(sql, reader, { ...query, fromId: toId - size + 1, toId, limit: size });
    found.push(...window);
    missing -= countOf(window);
    toId -= size;
    size = nextSize(size, countOf(window), missing);
  }
  return { places: newestOf(found, limit), hasOlder: true };
}

function countOf(places: readonly UnreadPlace[]): number {
  return places.reduce((count, { messageIds }) => count + messageIds.length, 0);
}

function nextSize(size: number, found: number, missing: number): number {
  const suggested = Math.ceil(MARGIN * missing * (size / Math.max(found, 1)));
  return Math.min(Math.max(suggested, 1), size * MAX_WIDENING);
}

/** The windows put together, without the oldest that are too many. */
function newestOf(found: readonly UnreadPlace[], limit: number): UnreadPlace[] {
  const descending = found.flatMap(({ messageIds }) => messageIds).sort((a, b) => b - a);
  const firstId = descending[limit - 1] ?? 0;
  const places = new Map<number, UnreadPlace>();
  // The windows came newest first.
  for (const { conversationId, channelId, messageIds } of found.toReversed()) {
    const kept = messageIds.filter((id) => id >= firstId);
    const known = places.get(conversationId)?.messageIds ?? [];
    if (kept.length > 0) places.set(conversationId, { conversationId, channelId, messageIds: known.concat(kept) });
  }
  return [...places.values()];
}
