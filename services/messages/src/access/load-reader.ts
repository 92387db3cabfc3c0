import type { Sql } from '@parley/shared/db';
import type { ChannelReadFacts, ChannelScope, NarrowTerm, ReaderChannelIds, ReadFacts } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { ROLES, VISITOR_ID } from '@parley/shared/values';
import type { Context } from '../context';
import { listChannelsOfMessages } from './channels-of-messages.sql';
import { listForeignChannels } from './foreign-channels.sql';
import type { ChannelReader, CurrentReader, MessagePlace, Reader, UnreadReader } from './permissions';

/**
 * Input of the rules on reading, asked of realm once per request. Callers name the channels if they know them, because there
 * may be thousands of others.
 */
export async function loadReader(
  ctx: Pick<Context, 'readFacts'>,
  caller: Caller,
  channels?: ChannelScope,
): Promise<Reader> {
  return readerOf(caller, await ctx.readFacts.load(caller, channels));
}

/** Several readers, and their access to some channels, in one call. Users of other organizations may read nothing. */
export async function loadChannelReaders(
  { services }: Pick<Context, 'services'>,
  realmId: number,
  readers: readonly ReaderChannelIds[],
): Promise<ChannelReader[]> {
  const answer = await services.realm.getChannelsOfReaders(newCall(), { realmId, readers: [...readers] });
  const known = new Map(answer.readers.map(({ userId, channels }) => [userId, channels]));
  return readers.map(({ userId }) => ({
    userId,
    channels: new Map((known.get(userId) ?? []).map((channel) => [channel.channelId, channel])),
  }));
}

const FIRST_READERS = 20;
/** What is known of the last of them is a second or two old when its turn comes. */
const MAX_READERS = 100;
/** A call asks for as many readers as have about this number of channels, by the last answer. */
const CHANNELS_AT_ONCE = 4_000;

/** Many readers with all of their channels, present and former ones. Users of other organizations are left out. */
export async function* loadOwnReaders(
  { services }: Pick<Context, 'services'>,
  realmId: number,
  userIds: readonly number[],
): AsyncGenerator<UnreadReader> {
  let size = FIRST_READERS;
  for (let begin = 0; begin < userIds.length; ) {
    const asked = userIds.slice(begin, begin + size).map((userId) => ({ userId, channelIds: [] }));
    const { readers } = await services.realm.getChannelsOfReaders(newCall(), {
      realmId,
      readers: asked,
      withOwn: true,
    });
    for (const { userId, channels, mutedUserIds, isActive } of readers) {
      const isDeactivated = isActive === false;
      yield {
        userId,
        realm: { id: realmId },
        channels: byId(channels),
        mutedUserIds: new Set(mutedUserIds),
        isDeactivated,
      };
    }
    begin += asked.length;
    const channelCount = readers.reduce((sum, { channels }) => sum + channels.length, 0);
    const suited = Math.floor((asked.length * CHANNELS_AT_ONCE) / Math.max(channelCount, 1));
    size = Math.min(Math.max(suited, 1), MAX_READERS);
  }
}

/** The channels that determine access to the messages: where they are, and where they were sent to. */
export function channelsOf(messages: readonly Pick<MessagePlace, 'channelId' | 'sentChannelId'>[]): ChannelScope {
  const ids = new Set(messages.flatMap(({ channelId, sentChannelId }) => [channelId, sentChannelId]));
  return { ids: [...ids].filter((id) => id !== null) };
}

/** The reader of the facts. */
export function readerOf({ userId }: Caller, facts: ReadFacts): CurrentReader {
  const { realm, reader, channels, mutedUserIds, alertWords, usersVersion } = facts;
  if (!realm) throw new Error(`realm does not know the reader ${userId}`);
  return {
    userId,
    realm,
    channels: byId(channels),
    mutedUserIds: new Set(mutedUserIds),
    alertWords,
    isGuest: reader?.role === ROLES.guest,
    isDeactivated: reader?.isActive === false,
    usersVersion,
  };
}

/** Facts are cached, and so is what follows from a list of them. */
const CHANNELS = new WeakMap<readonly ChannelReadFacts[], ReadonlyMap<number, ChannelReadFacts>>();

function byId(channels: readonly ChannelReadFacts[]): ReadonlyMap<number, ChannelReadFacts> {
  const known = CHANNELS.get(channels);
  if (known) return known;
  const made = new Map(channels.map((channel) => [channel.channelId, channel]));
  CHANNELS.set(channels, made);
  return made;
}

/** The part of the context needed for reading; the database may be a snapshot. */
export type ReaderContext = Pick<Context, 'readFacts'> & { db: Sql };

/**
 * Terms that match no channel without a subscription of the reader. Terms that name channels by a word may match any, and so may
 * `with`.
 */
const OF_RECEIVED = new Set([
  'topic',
  'dm',
  'dm-including',
  'group-pm-with',
  'sender',
  'search',
  'has',
  'is',
  'mentions',
  'near',
]);

/** A reader for a narrow: realm is asked only for channels that the narrow can match. */
export async function loadNarrowReader(
  ctx: ReaderContext,
  caller: Caller,
  terms: readonly NarrowTerm[],
): Promise<Reader> {
  if (!isOfFew(caller, terms)) return loadReader(ctx, caller);
  const named = channelsIn(terms);
  const has = (wanted: string) => terms.some(({ operator, isNegated }) => operator === wanted && !isNegated);
  // Only direct messages can match.
  if (has('dm')) return loadReader(ctx, caller, { ids: [...new Set(named)] });
  const foreign = has('channel') ? [] : await listForeignChannels(ctx.db, caller.realmId, caller.userId);
  return loadReader(ctx, caller, { ids: [...new Set([...named, ...foreign])], withOwn: true });
}

/** A reader for messages that are named by their ids, among which a narrow selects: realm is asked only for their channels. */
export async function loadReaderOfNamed(
  ctx: ReaderContext,
  caller: Caller,
  messageIds: readonly number[],
  terms: readonly NarrowTerm[],
): Promise<Reader> {
  if (!isOfFew(caller, terms)) return loadReader(ctx, caller);
  const { ids } = channelsOf(await listChannelsOfMessages(ctx.db, caller.realmId, messageIds));
  return loadReader(ctx, caller, { ids: [...new Set([...ids, ...channelsIn(terms)])] });
}

function isOfFew({ userId }: Caller, terms: readonly NarrowTerm[]): boolean {
  const isOne = ({ operator, id }: NarrowTerm) =>
    OF_RECEIVED.has(operator) || (operator === 'channel' && id !== undefined);
  return userId !== VISITOR_ID && terms.every(isOne);
}

function channelsIn(terms: readonly NarrowTerm[]): number[] {
  return terms.flatMap(({ operator, id }) => (operator === 'channel' && id !== undefined ? [id] : []));
}
