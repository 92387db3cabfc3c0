import type { Context } from '../context';
import { listDirectConversations } from '../conversations/conversation.sql';
import type { Narrow } from '../narrows/narrow';
import {
  findAlongLead,
  findById,
  findInSources,
  findInUnread,
  findInWindow,
  type Range,
  type Search,
  type Sources,
  type Window,
} from './find-messages.sql';

export type { Direction, Range, Search } from './find-messages.sql';

/** The first window that is looked at, and the factor by which the next one is wider. */
const MIN_WINDOW_SIZE = 2_000;
const WINDOW_ROWS_PER_WANTED = 4;
const WIDENING = 8;
const WINDOWS = 2;
/** So many channels or conversations are looked into one by one before anything else. */
const FEW_SOURCES = 64;

const NOWHERE: Sources = { channelIds: [], conversationIds: [], formerChannelIds: [], hasHistorical: false };

/** Ids of the messages that a reader gets under a narrow, in the order of the direction, at most `limit`. */
export async function findMessages(ctx: Pick<Context, 'db'>, search: Search, range: Range): Promise<number[]> {
  const { narrow } = search;
  const { messageIds, channelIds, conversations, lead } = narrow;
  const isNowhere = [messageIds, channelIds, conversations].some((list) => list?.length === 0);
  if (range.limit === 0 || isNowhere) return [];
  if (messageIds) return findById(ctx.db, search, range);
  if (lead?.isPersonal) return findAlongLead(ctx.db, search, range, lead);
  if (narrow.isUnread) return findUnread(ctx, search, range);
  const sources = fewSources(narrow);
  if (sources && !lead) return findInSources(ctx.db, search, range, sources);
  const rest = await findByWindows(range, WINDOWS, (next, size) => findInWindow(ctx.db, search, next, size, sources));
  if (rest.isDone) return rest.ids;
  const others = lead
    ? await findAlongLead(ctx.db, search, rest.next, lead)
    : await findInSources(ctx.db, search, rest.next, await allSources(ctx, search));
  return rest.ids.concat(others);
}

function fewSources({ channelIds, conversations }: Narrow): Sources | null {
  if (conversations && conversations.length <= FEW_SOURCES) {
    return { ...NOWHERE, conversationIds: conversations.map(({ id }) => id) };
  }
  return channelIds && channelIds.length <= FEW_SOURCES ? { ...NOWHERE, channelIds } : null;
}

interface Progress {
  ids: number[];
  isDone: boolean;
  /** Where to go on unless it is done. */
  next: Range;
}

/**
 * No row says who received a message, and no index has every combination of terms: so a window of the messages is gone through, then
 * a wider one. Whoever asks for much of what there is, is served by them. For whoever asks for little it would become the whole table:
 * they go another way after so many windows.
 */
async function findByWindows(
  range: Range,
  maxWindows: number,
  find: (next: Range, size: number) => Promise<Window>,
): Promise<Progress> {
  const found: number[] = [];
  let next = range;
  let size = Math.max(MIN_WINDOW_SIZE, WINDOW_ROWS_PER_WANTED * range.limit);
  for (let window = 0; window < maxWindows; window++) {
    const { ids, scanned, lastId } = await find(next, size);
    found.push(...ids);
    const isDone = found.length === range.limit || scanned < size || lastId === null;
    if (isDone) return { ids: found, isDone, next };
    const fromId = range.direction === 'before' ? lastId - 1 : lastId + 1;
    next = { ...range, fromId, limit: range.limit - found.length };
    size *= WIDENING;
  }
  return { ids: found, isDone: false, next };
}

/** Few messages are unread for most, and their own index leads to them: it is gone along to its end if need be. */
async function findUnread({ db }: Pick<Context, 'db'>, search: Search, range: Range): Promise<number[]> {
  const { ids } = await findByWindows(range, Number.POSITIVE_INFINITY, (next, size) =>
    findInUnread(db, search, next, size),
  );
  return ids;
}

/** Everything that can be meant: it costs by the number of channels and conversations, and not by the traffic of others. */
async function allSources(ctx: Pick<Context, 'db'>, { narrow, reader }: Search): Promise<Sources> {
  const { conversations, channelIds, scope } = narrow;
  if (conversations) return { ...NOWHERE, conversationIds: conversations.map(({ id }) => id) };
  if (channelIds) return { ...NOWHERE, channelIds };
  if (scope.kind === 'history') return { ...NOWHERE, channelIds: scope.channelIds };
  const been = [...reader.channels.values()].filter(({ intervals }) => intervals.length > 0);
  const ids = been.map(({ channelId }) => channelId);
  return {
    channelIds: ids,
    conversationIds: await listDirectConversations(ctx.db, reader.realm.id, reader.userId),
    formerChannelIds: ids,
    hasHistorical: true,
  };
}
