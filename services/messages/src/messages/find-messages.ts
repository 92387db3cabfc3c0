import type { ChannelReadFacts, VersionInterval } from '@parley/shared/proto';
import type { Context } from '../context';
import { listDirectConversations } from '../conversations/conversation.sql';
import type { Filter } from '../narrows/filter';
import { type Exclusions, findInSources, findInWindow, type Range, type Source } from './find-messages.sql';
import type { Reader } from './permissions';

/** The first window that is looked at for received messages, and the factor by which the second is wider. */
const MIN_WINDOW_SIZE = 2_000;
const WINDOW_ROWS_PER_WANTED = 4;
const WIDENING = 8;

export interface Search {
  reader: Reader;
  filter: Filter;
  isUnreadOnly: boolean;
}

/** Ids of the messages that a reader gets under a filter, in the order of the direction, at most `limit`. */
export async function findMessages(ctx: Context, search: Search, range: Range): Promise<number[]> {
  if (range.limit === 0) return [];
  const { filter, reader } = search;
  const exclusions = exclusionsOf(search);
  if (filter.conversations) {
    const sources = filter.conversations.map(({ id, channelId }) => ({ id, versions: versionsOf(channelId, search) }));
    return findInSources(ctx.db, range, exclusions, [], sources);
  }
  if (filter.channelIds) {
    const sources = filter.channelIds.map((id) => ({ id, versions: versionsOf(id, search) }));
    return findInSources(ctx.db, range, exclusions, sources, []);
  }
  return findReceived(ctx, reader, range, exclusions);
}

function exclusionsOf({ filter, reader, isUnreadOnly }: Search): Exclusions {
  return {
    readerId: reader.userId,
    channelIds: filter.excludedChannelIds,
    conversationIds: filter.excludedConversationIds,
    isUnreadOnly,
  };
}

/** Direct conversations are the reader's own (null: all of it); of a channel it is the history, or what was received. */
function versionsOf(channelId: number | null, { filter, reader }: Search): string | null {
  if (channelId === null || filter.isHistoryIncluded) return null;
  return multirange(reader.channels.get(channelId)?.intervals ?? []);
}

function multirange(intervals: readonly VersionInterval[]): string {
  return `{${intervals.map(({ fromVersion, toVersion }) => `[${fromVersion},${toVersion ?? ''})`).join(',')}}`;
}

/**
 * The combined feed. No row says who received a message, so a window of the organization's messages is gone through, then a wider
 * one: whoever receives much is served by them. For whoever receives little it would become the whole table: instead, channels
 * and conversations are then looked into one by one, which costs by their number and not by the traffic of others.
 */
async function findReceived(ctx: Context, reader: Reader, range: Range, exclusions: Exclusions): Promise<number[]> {
  const channels = receivedChannels(reader);
  const found: number[] = [];
  const rest = { ...range };
  const size = Math.max(MIN_WINDOW_SIZE, WINDOW_ROWS_PER_WANTED * range.limit);
  for (const windowSize of [size, size * WIDENING]) {
    const { ids, scanned, lastId } = await findInWindow(ctx.db, rest, exclusions, windowSize, channels);
    found.push(...ids);
    if (found.length === range.limit || scanned < windowSize || lastId === null) return found;
    rest.limit = range.limit - found.length;
    rest.fromId = range.direction === 'before' ? lastId - 1 : lastId + 1;
  }
  const directIds = await listDirectConversations(ctx.db, range.realmId, reader.userId);
  const directs = directIds.map((id) => ({ id, versions: null }));
  return found.concat(await findInSources(ctx.db, rest, exclusions, channels, directs));
}

function receivedChannels(reader: Reader): Source[] {
  const wasSubscribed = ({ intervals }: ChannelReadFacts) => intervals.length > 0;
  return [...reader.channels.values()]
    .filter(wasSubscribed)
    .map(({ channelId, intervals }) => ({ id: channelId, versions: multirange(intervals) }));
}
