// Clients mark whole channels, whole topics and everything as read in batches of thousands of messages (POST /messages/flags/narrow), mostly from the
// oldest on. A batch costs what finding its ids costs: its messages are neither loaded nor marked one by one. Where nothing older is unread, one
// watermark moves to the end of the batch; elsewhere each topic and direct conversation gets one range. Batches of unread messages only are found
// once: from the first unread message on nothing else can become read. Where a few older ones stay unread, of muted channels mostly, the other
// channels' watermarks move, and only these channels' topics, and direct conversations, get ranges. A page where no watermark can move is left to
// changeFlags(), message by message. What is marked as unread meanwhile, or is still being sent with a lower id, is not marked with the others.

import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { type DomainEvent, flagsChanged } from '@parley/shared/events';
import { ascending } from '@parley/shared/values';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import type { Narrow } from '../narrows/narrow';
import { countedChannelIds } from '../read-state/is-read';
import {
  markChannelsReadTo,
  markEverythingReadTo,
  markRangesRead,
  type ReadRange,
  shareReadState,
} from '../read-state/read-state.sql';
import { waitForSends } from '../read-state/stays-read.sql';
import { findFirstUnreadInPlaces } from '../search/find-messages.sql';
import { findOldestUnread } from '../search/find-nearest-unread';
import { findUnread, idsOf, type UnreadPlace, type UnreadQuery } from '../search/find-unread.sql';
import type { Search } from '../search/search-query.sql';

/** All messages of some channels or conversations, or all messages there are. */
export type MarkedScope = Pick<UnreadQuery, 'channelIds' | 'conversationIds'>;

/**
 * The channels or conversations of a narrow that contains all of their messages, or all that are unread: the same ones become read. Null: it
 * has other conditions.
 */
export function wholePlaceOf({ conversations, channelIds, ...more }: Narrow, reader: Reader): MarkedScope | null {
  const { messageIds, places, exceptChannelIds, conditions, lead, search } = more;
  const asksForMore = [messageIds, places, lead, search].some((part) => part !== undefined && part !== null);
  if (asksForMore || exceptChannelIds.length > 0 || conditions.length > 0) return null;
  if (conversations) return { conversationIds: conversations.map(({ id }) => id) };
  if (!channelIds) return {};
  const counted = new Set(countedChannelIds(reader));
  return { channelIds: channelIds.filter((id) => counted.has(id)) };
}

/** Consecutive messages of channels or conversations, or consecutive unread ones. */
interface Batch {
  /** Ascending. */
  ids: readonly number[];
  place: MarkedScope;
}

/** Up to this number of messages, marking each of them costs less than a search for what is unread in their channels or conversations. */
const FEW = 200;
/** Number of unread messages beside the batch that are looked at; with more, all conversations of the batch get ranges. */
const MOST_BESIDE = 1_000;

/**
 * Marks a batch as read and announces that to the reader's clients; returns the unread ones. Null: other messages would become
 * read, too, or it is better to mark each message.
 */
export async function markRangeAsRead(ctx: Context, reader: Reader, batch: Batch): Promise<number[] | null> {
  const { ids, place } = batch;
  const [fromId, toId] = [ids[0], ids.at(-1)];
  if (fromId === undefined || toId === undefined) return [];
  const range = { realmId: reader.realm.id, userId: reader.userId, fromId, toId };
  const { channelIds, conversationIds } = place;
  const isFew = ids.length <= FEW;
  if (conversationIds && isFew) return null;
  // What was being sent with a lower id is stored then: it is among what is found below, and keeps the mark from covering it.
  await waitForSends(ctx.db, reader.realm.id);
  if (conversationIds) return markParts(ctx, reader, batch, range, { conversationIds, passed: [] });
  const isWatermarkOrNothing = isFew && channelIds !== undefined;
  const most = ids.length + (isWatermarkOrNothing ? 0 : MOST_BESIDE);
  const found = await findUnread(ctx.db, reader, { ...place, toId, limit: most + 1 });
  const unread = unreadOf(found, ids);
  if (unread) return markPassed(ctx, range, place, unread);
  if (isWatermarkOrNothing) return null;
  const hasMoreBeside = found.reduce((sum, { messageIds }) => sum + messageIds.length, 0) > most;
  if (!hasMoreBeside) return markParts(ctx, reader, batch, range, partsOf(found, ids));
  const inRange = await findUnread(ctx.db, reader, { ...place, ...range, limit: ids.length + 1 });
  return markParts(ctx, reader, batch, range, { conversationIds: conversationIdsOf(inRange), passed: [] });
}

/** All that is unread up to the end of the batch is in it: a watermark moves there. */
async function markPassed({ db }: Context, range: ReadRange, place: MarkedScope, unread: number[]): Promise<number[]> {
  if (unread.length > 0) {
    await moveWatermark(db, range, place, unread);
    db.onAnnounced();
  }
  return unread;
}

/** What is unread up to the end of a batch, where some of it is not in the batch. */
interface Parts {
  /** Those that get ranges. */
  conversationIds: number[];
  /** What is unread in channels of which nothing else is: their watermarks move. */
  passed: readonly UnreadPlace[];
}

/** A few messages before the batch stay unread, in a muted channel for instance. Direct conversations have no watermark of their own. */
function partsOf(found: readonly UnreadPlace[], ids: readonly number[]): Parts {
  const known = new Set(ids);
  const partly = found.filter(({ messageIds }) => !messageIds.every((id) => known.has(id)));
  const ranged = new Set([null, ...partly.map(({ channelId }) => channelId)]);
  return {
    conversationIds: conversationIdsOf(found.filter(({ channelId }) => ranged.has(channelId))),
    passed: found.filter(({ channelId }) => !ranged.has(channelId)),
  };
}

function markParts(
  { db }: Context,
  reader: Reader,
  batch: Batch,
  range: ReadRange,
  { conversationIds, passed }: Parts,
): Promise<number[] | null> {
  return db.transaction(async (tx) => {
    const found = await findInConversations(tx, reader, batch, range, conversationIds);
    const inRanges = unreadOf(found, batch.ids);
    if (inRanges === null) return null;
    const marked = ascending([...inRanges, ...idsOf(passed)]);
    if (marked.length === 0) return marked;
    const channelIds = [...new Set(passed.map(({ channelId }) => channelId as number))];
    // Marks as unread lock as this does: first what moveWatermark() locks, then rows.
    await moveWatermark(tx, range, { channelIds }, marked);
    if (inRanges.length > 0) await markRangesRead(tx, range, found);
    tx.hasAnnounced = true;
    return marked;
  });
}

/** One of everything, or of channels, of which there may be none. Announces as well that these messages are read. */
async function moveWatermark(
  sql: Sql,
  range: ReadRange,
  { channelIds }: MarkedScope,
  messageIds: number[],
): Promise<void> {
  const read = { messageIds, event: readEvent(range, messageIds) };
  if (channelIds) await markChannelsReadTo(sql, range, channelIds, read);
  else await markEverythingReadTo(sql, range, read);
}

function readEvent({ realmId, userId }: ReadRange, messageIds: number[]): DomainEvent {
  return flagsChanged(realmId, { userId, op: 'add', flag: 'read', messageIds, isAll: false });
}

/** Searches for unread messages after locking the conversations, since messages may have been moved there before. */
async function findInConversations(
  tx: Transaction,
  reader: Reader,
  { ids, place }: Batch,
  { fromId, toId }: ReadRange,
  conversationIds: number[],
): Promise<UnreadPlace[]> {
  await shareReadState(tx, conversationIds);
  return findUnread(tx, reader, { ...place, conversationIds, fromId, toId, limit: ids.length + 1 });
}

/** The unread messages after an anchor, in a narrow for which wholePlaceOf() gives the place. */
interface UnreadBatch {
  search: Search;
  place: MarkedScope;
  anchor: number;
  numAfter: number;
  includeAnchor: boolean;
}

/**
 * Marks the oldest unread messages as read, and announces that to the reader's clients; returns their ids, ascending. Null: there are older
 * unread messages, which stay unread.
 */
export async function markOldestUnread(ctx: Context, batch: UnreadBatch): Promise<number[] | null> {
  const { search, place, anchor } = batch;
  const { reader, narrow } = search;
  const { id: realmId } = reader.realm;
  const { userId } = reader;
  const newestId = await waitForSends(ctx.db, realmId);
  return ctx.db.transaction(async (tx) => {
    const { conversationIds, channelIds } = place;
    if (conversationIds ?? channelIds) await shareReadState(tx, conversationIds ?? [], channelIds);
    const received: Narrow = { ...narrow, scope: { kind: 'received' } };
    const firstId = await findFirstUnreadInPlaces(tx, { reader, narrow: received }, () => 'true');
    if (firstId === null) return [];
    const isAnchor = firstId === anchor;
    if (firstId < anchor || (isAnchor && !batch.includeAnchor)) return null;
    const limit = batch.numAfter + Number(isAnchor);
    const unread = await findOldestUnread(tx, reader, { ...place, fromId: firstId, toId: newestId, limit });
    const messageIds = idsOf(unread);
    const toId = messageIds.at(-1);
    // The first one was read or deleted since.
    if (toId === undefined) return null;
    const range = { realmId, userId, fromId: firstId, toId };
    if (place.conversationIds) {
      await markRangesRead(tx, range, unread);
      await announce(tx, readEvent(range, messageIds));
    } else {
      await moveWatermark(tx, range, place, messageIds);
      tx.hasAnnounced = true;
    }
    return messageIds;
  });
}

/** The ids of unread messages, ascending; null if some are not in the batch. */
function unreadOf(places: readonly UnreadPlace[], batch: readonly number[]): number[] | null {
  const known = new Set(batch);
  const isInBatch = ({ messageIds }: UnreadPlace) => messageIds.every((id) => known.has(id));
  return places.every(isInBatch) ? idsOf(places) : null;
}

function conversationIdsOf(places: readonly UnreadPlace[]): number[] {
  return places.map(({ conversationId }) => conversationId);
}
