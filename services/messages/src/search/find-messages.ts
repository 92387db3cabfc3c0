// How messages are found: ids first (here), then load, hide, present (get-messages.ts). A page costs at most four statements in all services.
//
// A narrow's terms become (narrows/compile-narrow.ts) a scope (what the reader received, or all history of some channels), lists of channels,
// conversations and messages, conditions in SQL, and maybe a lead: an index that knows the few messages meant (stars, mentions, words, a sender).
// Where nothing but receipt decides, one statement finds and loads a page (load-page.sql.ts): along a few channels or conversations; for readers who
// get much of what is sent, everybody's messages around the anchor (page-of-everybody.ts); or through all of the reader's channels and conversations
// in steps, each spanning as many ids as the earlier ones, and earlier pages, suggest. Otherwise findMessages() chooses the way:
// - along a few channels or conversations, by their index;
// - along a lead that is personal, or that the planner's statistics say leads to few messages (routes.sql.ts reads no messages), of several along the
//   shortest;
// - without conditions, first through a narrow window of the messages; for readers of many channels then through wider ones (with a lead, one);
//   not where hundreds are wanted of few channels;
// - then by a walk (walk.sql.ts): one statement goes through the reader's own channels and conversations in steps, each spanning as many ids as
//   the earlier ones suggest. Once it has looked at as many messages as the lead leads to, the rest goes along the lead.
//
// A search so reads, besides two windows of at most 18,000 messages (more where more than 500 are wanted), a small multiple of the lesser of two
// numbers: what the index leads to in the organization, and what the reader has received, or all of the named channels. Terms without an index
// (negated ones, alert words without a searchable part) have the second bound only. is:unread is the same walk through unread messages only.
// Tests assert the plans: find-messages.test.ts, unread-plans.test.ts.
//
// Text search is PostgreSQL's, in English: a generated vector of the HTML's words for each message and another for each topic, so a renamed topic is
// found without touching its messages; a lexeme for the organization separates organizations in the index. Alert words
// (shared/values/alert-words.ts) are repeated in SQL from the same pieces (alerted.sql.ts); where a message's words differ from those of its vector
// (addresses, hidden parts of links, code), message_with_joined_words has each word of its source. Users who are not signed in read as user 0.

import type { Sql } from '@parley/shared/db';
import { keepsReceived, type ReadableChannel, type Reader } from '../access/permissions';
import { idsOf, type Lead, type Narrow, type Places } from '../narrows/narrow';
import { estimateHits } from '../narrows/routes.sql';
import { receivesSince } from '../read-state/is-read';
import { findAlongLead, findById, findInSources, findInWindow, type Window } from './find-messages.sql';
import { type LoadedPage, loadPageBySteps, loadPageOfFew, type WantedPage } from './load-page.sql';
import { loadPageOfEverybody } from './page-of-everybody';
import type { Range, Search } from './search-query.sql';
import type { Sources } from './sources.sql';
import { MANY_WANTED, type Progress, walkPlaces, walkUnread } from './walk.sql';

export type { Direction, Range, Search } from './search-query.sql';

/** The first window of ids that is read, and the factor by which the next one is wider. */
const MIN_WINDOW_SIZE = 2_000;
const WINDOW_ROWS_PER_WANTED = 4;
const WIDENING = 8;
const WINDOWS = 2;
/** The first window if the only condition is that the reader received the message: enough for readers of much of the traffic. */
const NARROW_WINDOW_ROWS_PER_WANTED = 6;
const MIN_NARROW_WINDOW_SIZE = 100;
/** Up to this number, channels or conversations are searched one by one first. */
const FEW_SOURCES = 64;
/** Maximum number of messages that are fetched from an index, in any order, before other ways are tried. */
const FEW_HITS = 5_000;

const NOWHERE: Sources = {
  channelIds: [],
  conversationIds: [],
  hasDirects: false,
  formerChannelIds: [],
  hasHistorical: false,
};

/** Ids of the messages that a reader gets under a narrow, in the order of the direction, at most `limit`. */
export async function findMessages(ctx: { db: Sql }, search: Search, asked: Range): Promise<number[]> {
  const { narrow } = search;
  const { messageIds, firstId } = narrow;
  const isAfter = asked.direction === 'after';
  if (asked.limit === 0 || isNowhere(narrow) || (!isAfter && asked.fromId < firstId)) return [];
  const range = isAfter ? { ...asked, fromId: Math.max(asked.fromId, firstId) } : asked;
  if (messageIds) return findById(ctx.db, search, range);
  if (narrow.lead?.isPersonal) return findAlongLead(ctx.db, search, range, narrow.lead);
  const sources = fewSources(search);
  if (sources && !narrow.lead && !narrow.isUnread) return findInSources(ctx.db, search, range, sources);
  const { lead, hits } = await shortestLead(ctx.db, search);
  if (narrow.isUnread) return findUnread(ctx.db, search, range, { lead, hits });
  if (lead && hits <= FEW_HITS) return findAlongLead(ctx.db, search, range, lead);
  const rest = await findByWindows(range, windowSizes(search, sources, range), async (next, size) => {
    const window = await findInWindow(ctx.db, search, next, size, sources);
    // No window farther back has a match.
    return window.lastId !== null && window.lastId < firstId ? { ...window, lastId: null } : window;
  });
  return rest.isDone ? rest.ids : rest.ids.concat(await findFarther(ctx.db, search, rest.next, { lead, hits }));
}

/** A lead, and the approximate number of messages that it leads to; of no lead, all. */
interface Measured {
  lead: Lead | undefined;
  hits: number;
}

/** A word is often frequent where its sender, or a kind of content, is rare. */
async function shortestLead(sql: Sql, { reader, narrow: { lead, otherLeads } }: Search): Promise<Measured> {
  let shortest: Measured = { lead, hits: lead ? await estimateHits(sql, reader, lead) : Number.POSITIVE_INFINITY };
  for (const other of otherLeads) {
    const hits = await estimateHits(sql, reader, other);
    if (hits < shortest.hits) shortest = { lead: other, hits };
  }
  return shortest;
}

/** Finds and loads a page where nothing but receipt decides, mostly in one statement; null for other searches. */
export async function loadPage(sql: Sql, search: Search, wanted: WantedPage): Promise<LoadedPage | null> {
  const { narrow } = search;
  const { messageIds, lead, conditions, isUnread } = narrow;
  const isOfPlaces = !messageIds && !lead && !isUnread && conditions.length === 0;
  if (wanted.ranges.length === 0 || !isOfPlaces || isNowhere(narrow)) return null;
  const sources = fewSources(search);
  if (sources) return loadPageOfFew(sql, search, wanted, sources);
  const ofEverybody = narrow.conversations ? null : await loadPageOfEverybody(sql, search, wanted);
  return ofEverybody ?? loadPageBySteps(sql, search, wanted, allSources(search));
}

function isNowhere({ messageIds, channelIds, conversations, places }: Narrow): boolean {
  return [messageIds, channelIds, conversations, allOf(places)].some((list) => list?.length === 0);
}

function windowSizes(search: Search, sources: Sources | null, range: Range): number[] {
  const { lead, conditions } = search.narrow;
  const span = spanFor(range);
  const sizes = Array.from({ length: windowsFor(search, sources, range) }, (_, nth) => span * WIDENING ** nth);
  const narrowSize = Math.max(MIN_NARROW_WINDOW_SIZE, NARROW_WINDOW_ROWS_PER_WANTED * range.limit);
  const isNarrowed = sizes.length > 0 && !lead && conditions.length === 0 && 2 * narrowSize <= span;
  if (!isNarrowed) return sizes;
  // For few channels, reading each one's nearest messages costs less than a wide window.
  return placesOf(search).length * range.limit <= 2 * span ? [narrowSize] : [narrowSize, ...sizes];
}

/**
 * For few conversations a walk, or reading them one by one, is faster than windows over everybody's messages. Where many messages are wanted,
 * most of those read one by one would be in vain.
 */
function windowsFor(search: Search, sources: Sources | null, { limit }: Range): number {
  const { lead, conditions } = search.narrow;
  const isOfFew = sources === null && placesOf(search).length <= FEW_SOURCES;
  if (isOfFew && (conditions.length > 0 || limit >= MANY_WANTED)) return 0;
  // A lead is frequent here: a rare one would have been followed at once.
  return lead || isOfFew ? 1 : WINDOWS;
}

/**
 * A walk along the reader's channels and conversations, switching to the lead if that is cheaper: the cost is of the order of the
 * cheaper way.
 */
async function findFarther(sql: Sql, search: Search, range: Range, { lead, hits }: Measured): Promise<number[]> {
  const { conditions } = search.narrow;
  const places = allSources(search);
  if (!lead && conditions.length === 0 && range.limit < MANY_WANTED) return findInSources(sql, search, range, places);
  const walked = await walkPlaces(sql, search, range, places, { firstSpan: firstSpanFor(range), mostScanned: hits });
  return walked.isDone || !lead ? walked.ids : walked.ids.concat(await findAlongLead(sql, search, walked.next, lead));
}

/** The channels and conversations that may have matches. */
function placesOf({ reader, narrow: { places, scope } }: Search): readonly unknown[] {
  const received = () => [...reader.channels.values()].filter(mayHaveReceived);
  return allOf(places) ?? (scope.kind === 'history' ? scope.channelIds : received());
}

function spanFor({ limit }: Range): number {
  return Math.max(MIN_WINDOW_SIZE, WINDOW_ROWS_PER_WANTED * limit);
}

/** Where many are wanted, reading too many costs more than a further step. */
function firstSpanFor(range: Range): number {
  return range.limit >= MANY_WANTED ? range.limit : spanFor(range);
}

function allOf(places: Places | undefined): number[] | undefined {
  return places && [...places.channelIds, ...places.conversationIds];
}

function fewSources(search: Search): Sources | null {
  const { channelIds, conversations } = search.narrow;
  if (conversations) {
    return conversations.length <= FEW_SOURCES ? { ...NOWHERE, conversationIds: idsOf(conversations) } : null;
  }
  return channelIds && channelIds.length <= FEW_SOURCES ? sourcesIn(search, channelIds) : null;
}

/**
 * There is no row per recipient, and no index for every combination of terms. So a window of messages is read, then
 * a wider one. This suits searches with many matches. For few matches it would read the whole table,
 * so after these windows another way is taken.
 */
async function findByWindows(
  range: Range,
  sizes: readonly number[],
  find: (next: Range, size: number) => Promise<Window>,
): Promise<Progress> {
  const found: number[] = [];
  let next = range;
  for (const size of sizes) {
    const { ids, scanned, lastId } = await find(next, size);
    found.push(...ids);
    const isDone = found.length === range.limit || scanned < size || lastId === null;
    if (isDone) return { ids: found, isDone, next };
    const fromId = range.direction === 'before' ? lastId - 1 : lastId + 1;
    next = { ...range, fromId, limit: range.limit - found.length };
  }
  return { ids: found, isDone: false, next };
}

/** Along the index of unread messages, which are few for most users. For users with many, along the lead if that is shorter. */
async function findUnread(sql: Sql, search: Search, range: Range, { lead, hits }: Measured): Promise<number[]> {
  const walked = await walkUnread(sql, search, range, { firstSpan: spanFor(range), mostScanned: hits });
  return walked.isDone || !lead ? walked.ids : walked.ids.concat(await findAlongLead(sql, search, walked.next, lead));
}

/** All sources: the cost depends on the number of channels and conversations, not on the traffic of others. */
function allSources({ narrow, reader }: Search): Sources {
  const { conversations, channelIds, places, scope } = narrow;
  const mayHave = (channelId: number) => !narrow.exceptChannelIds.includes(channelId);
  if (conversations) return { ...NOWHERE, conversationIds: idsOf(conversations) };
  if (channelIds) return sourcesIn({ narrow, reader }, channelIds);
  if (places) return { ...NOWHERE, ...places };
  if (scope.kind === 'history') return { ...NOWHERE, channelIds: scope.channelIds.filter(mayHave) };
  return { ...receivedIn(reader, mayHave), hasDirects: true };
}

/** Of channels that the reader has never been in, only what was moved there, and what has flags of the reader, is received. */
function sourcesIn({ reader, narrow: { scope } }: Search, channelIds: readonly number[]): Sources {
  const isStrange = (id: number) => reader.channels.get(id)?.intervals.length === 0;
  if (scope.kind !== 'received' || !channelIds.some(isStrange)) return { ...NOWHERE, channelIds };
  const named = new Set(channelIds);
  return receivedIn(reader, (id) => named.has(id));
}

function receivedIn(reader: Reader, mayHave: (channelId: number) => boolean): Sources {
  const been = [...reader.channels.values()].filter(({ intervals }) => intervals.length > 0);
  const idsOf = (channels: ReadableChannel[]) => channels.map(({ channelId }) => channelId);
  const received = been.filter((channel) => mayHaveReceived(channel) && mayHave(channel.channelId));
  return {
    channelIds: idsOf(received),
    receivedSince: {
      first: received.map(firstSubscribed),
      last: received.map(receivesSince),
      never: received.map((channel) => (receivesMoved(channel) ? firstSubscribed(channel) : null)),
    },
    conversationIds: [],
    hasDirects: false,
    formerChannelIds: idsOf(been),
    hasHistorical: true,
  };
}

/** Whether the reader may have received current messages of the channel. */
function mayHaveReceived(channel: ReadableChannel): boolean {
  return channel.intervals.length > 0 && keepsReceived(channel);
}

/** Whether subscribers receive what is moved to the channel, and nothing else from before they joined. */
function receivesMoved({ hasContentAccess, mayReadHistory }: ReadableChannel): boolean {
  return hasContentAccess && !mayReadHistory;
}

function firstSubscribed({ intervals }: ReadableChannel): number {
  return Math.min(...intervals.map(({ fromVersion }) => fromVersion));
}
