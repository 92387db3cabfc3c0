import type { Sql } from '@parley/shared/db';
import type { Reader } from '../access/permissions';
import { findNewestId, findUnread, type UnreadPlace, type UnreadQuery } from './find-unread.sql';

/** Windows are wider than estimated, so that another one is rarely needed. */
const MARGIN = 1.25;
const MAX_WIDENING = 8;

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

/** The windows combined, cut to the newest. */
function newestOf(found: readonly UnreadPlace[], limit: number): UnreadPlace[] {
  const descending = found.flatMap(({ messageIds }) => messageIds).sort((a, b) => b - a);
  const firstId = descending[limit - 1] ?? 0;
  const places = new Map<number, UnreadPlace>();
  // Windows come newest first.
  for (const { conversationId, channelId, messageIds } of found.toReversed()) {
    const kept = messageIds.filter((id) => id >= firstId);
    const known = places.get(conversationId)?.messageIds ?? [];
    if (kept.length > 0) places.set(conversationId, { conversationId, channelId, messageIds: known.concat(kept) });
  }
  return [...places.values()];
}
