import type { Sql } from '@parley/shared/db';
import type { Reader } from '../access/permissions';
import { findNewestId, findUnread, idsOf, type UnreadPlace, type UnreadQuery } from './find-unread.sql';

/** Windows are wider than estimated, so that another one is rarely needed. */
const MARGIN = 1.25;
const MAX_WIDENING = 8;
/** Of the oldest: a window with more than this multiple of what is wanted is read again, narrower. */
const MOST_PER_WANTED = 2;

interface NewestUnread {
  places: UnreadPlace[];
  /** There may be more, older unread messages: these are as many as requested. */
  hasOlder: boolean;
}

/**
 * The reader's newest unread messages, at most `limit`, by conversation. Most readers have fewer: these are read at once. For
 * others, windows of ids are read from the newest end on, each as wide as the last one suggests; older messages are not read.
 */
export async function findNewestUnread(sql: Sql, reader: Reader, query: UnreadQuery): Promise<NewestUnread> {
  const { limit, toId: lastId = Number.MAX_SAFE_INTEGER } = query;
  const some = await findUnread(sql, reader, query);
  if (countOf(some) < limit) return { places: some, hasOlder: false };
  const found: UnreadPlace[] = [];
  let toId = Math.min((await findNewestId(sql, reader.realm.id)) ?? 0, lastId);
  let [missing, size] = [limit, limit];
  while (missing > 0 && toId > 0) {
    const window = await findUnread(sql, reader, { ...query, fromId: toId - size + 1, toId, limit: size });
    found.push(...window);
    missing -= countOf(window);
    toId -= size;
    size = nextSize(size, countOf(window), missing);
  }
  // Windows come newest first.
  const firstId = idsOf(found).at(-limit) ?? 0;
  return { places: combined(found.toReversed(), (id) => id >= firstId), hasOlder: true };
}

/**
 * The reader's oldest unread messages from `fromId` to `toId`, at most `limit`, by conversation. Reads windows of ids, each as wide as the last
 * one suggests; newer messages are not read. It is fast where the first unread message is near `fromId`.
 */
export async function findOldestUnread(
  sql: Sql,
  reader: Reader,
  { toId, ...query }: UnreadQuery & { fromId: number; toId: number },
): Promise<UnreadPlace[]> {
  const newestId = Math.min((await findNewestId(sql, reader.realm.id)) ?? 0, toId);
  const most = MOST_PER_WANTED * query.limit;
  const found: UnreadPlace[] = [];
  let [fromId, size, missing] = [query.fromId, most, query.limit];
  while (missing > 0 && fromId <= newestId) {
    const end = Math.min(fromId + size - 1, newestId);
    const window = await findUnread(sql, reader, { ...query, fromId, toId: end, limit: most + 1 });
    const count = countOf(window);
    if (count > most) {
      // An arbitrary part of what the window has. One of `most` ids cannot have more.
      size = Math.max(most, Math.floor(size / MAX_WIDENING));
      continue;
    }
    found.push(...window);
    missing -= count;
    fromId += size;
    size = nextSize(size, count, missing);
  }
  const lastId = idsOf(found)[query.limit - 1] ?? Number.MAX_SAFE_INTEGER;
  return combined(found, (id) => id <= lastId);
}

function countOf(places: readonly UnreadPlace[]): number {
  return places.reduce((count, { messageIds }) => count + messageIds.length, 0);
}

function nextSize(size: number, found: number, missing: number): number {
  const suggested = Math.ceil(MARGIN * missing * (size / Math.max(found, 1)));
  return Math.min(Math.max(suggested, 1), size * MAX_WIDENING);
}

/** The windows, the oldest first, by conversation, without ids that are too far away. */
function combined(windows: readonly UnreadPlace[], isNear: (id: number) => boolean): UnreadPlace[] {
  const places = new Map<number, UnreadPlace>();
  for (const { conversationId, channelId, messageIds } of windows) {
    const kept = messageIds.filter(isNear);
    const known = places.get(conversationId)?.messageIds ?? [];
    if (kept.length > 0) places.set(conversationId, { conversationId, channelId, messageIds: known.concat(kept) });
  }
  return [...places.values()];
}
