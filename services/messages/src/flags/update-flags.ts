import { ChangedMeanwhile, repeatOnConflict } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { flagsChanged, type UnreadDetails } from '@parley/shared/events';
import type {
  UpdateFlagsInNarrowRequest,
  UpdateFlagsInNarrowResponse,
  UpdateFlagsRequest,
  UpdateFlagsResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ascending, LIMITS } from '@parley/shared/values';
import { channelsOf, loadNarrowReader, loadReader } from '../access/load-reader';
import { type ChannelReader, hasReceived, isAddressed, type Reader } from '../access/permissions';
import type { Context } from '../context';
import { MUTED } from '../conversations/automatic-policy';
import { compileNarrow } from '../narrows/compile-narrow';
import { type ReadableMessage, type ReadStateReader, receivesSince } from '../read-state/is-read';
import type { PersonalFlag } from '../read-state/personal-flags.sql';
import type { StoredReadState } from '../read-state/read-state.sql';
import { anchorOfLater, checkRange, type Found, findAround, foundOf } from '../search/find-around';
import type { Search } from '../search/search-query.sql';
import { type MarkedScope, markOldestUnread, markRangeAsRead, wholePlaceOf } from './mark-range-as-read';
import { loadMarkable } from './markable.sql';
import { decideFlags } from './permissions';
import { storeFlag, storeRead, storeUnflag, storeUnread } from './store-flags.sql';

/** Sets or removes one of the caller's flags on messages. */
export async function updateFlags(
  ctx: Context,
  caller: Caller,
  request: UpdateFlagsRequest,
): Promise<UpdateFlagsResponse> {
  const change = flagChangeOf(request);
  const max = LIMITS.messagesPerFetch;
  if (request.messageIds.length > max) throw new BadRequestError(`Too many messages requested (maximum ${max}).`);
  return repeatOnConflict(caller.realmId, async () => {
    const messages = await loadMarkable(ctx.db, caller, request.messageIds, change);
    return changeFlags(ctx, await loadMarker(ctx, caller, messages), change, request.messageIds, messages);
  });
}

/** Searches again if messages were deleted or moved meanwhile. */
export function updateFlagsInNarrow(
  ctx: Context,
  caller: Caller,
  request: UpdateFlagsInNarrowRequest,
): Promise<UpdateFlagsInNarrowResponse> {
  return repeatOnConflict(caller.realmId, () => tryToUpdate(ctx, caller, request));
}

/** Sets or removes one of the caller's flags on the messages around an anchor. */
async function tryToUpdate(
  ctx: Context,
  caller: Caller,
  request: UpdateFlagsInNarrowRequest,
): Promise<UpdateFlagsInNarrowResponse> {
  checkRange({ ...request, messageIds: [] });
  const change = flagChangeOf(request);
  const reader = await loadNarrowReader(ctx, caller, request.narrow);
  const narrow = await compileNarrow(ctx, caller, request.narrow, reader);
  const search = { reader, narrow };
  const place = change.flag === 'read' && change.op === 'add' ? wholePlaceOf(narrow, reader) : null;
  const marked = place && narrow.isUnread ? await markUnread(ctx, search, request, place) : null;
  if (marked) return responseOf(marked, { changedIds: marked.ids, ignoredChannelIds: [] });
  const found = await findAround(ctx, request, search);
  const ids = ascending(found.ids);
  return responseOf({ ...found, ids }, await changeAll(ctx, search, { change, ids, place }));
}

/** The ids are ascending. */
function responseOf(
  { ids, range }: Found,
  { changedIds, ignoredChannelIds }: ChangedFlags,
): UpdateFlagsInNarrowResponse {
  const [first, last] = [ids[0], ids.at(-1)];
  return {
    processedCount: ids.length,
    updatedCount: changedIds.length,
    ...(first !== undefined && { firstProcessedId: first }),
    ...(last !== undefined && { lastProcessedId: last }),
    foundOldest: range.foundOldest,
    foundNewest: range.foundNewest,
    ignoredChannelIds,
  };
}

/** Marks the unread messages after the anchor as read; null if others are asked for, or if unread ones before it stay unread. */
async function markUnread(
  ctx: Context,
  search: Search,
  request: UpdateFlagsInNarrowRequest,
  place: MarkedScope,
): Promise<Found | null> {
  const anchor = anchorOfLater(request);
  if (anchor === null) return null;
  const { numAfter, includeAnchor } = request;
  const ids = await markOldestUnread(ctx, { search, place, anchor, numAfter, includeAnchor });
  return ids && foundOf(ids, request, anchor);
}

interface Changing {
  change: FlagChange;
  ids: readonly number[];
  place: MarkedScope | null;
}

/** The messages of a narrow between two ids, without a gap. `place`: see wholePlaceOf(). */
async function changeAll(ctx: Context, { reader }: Search, { change, ids, place }: Changing): Promise<ChangedFlags> {
  const changedIds = place && (await markRangeAsRead(ctx, reader, { ids, place }));
  if (changedIds) return { changedIds, ignoredChannelIds: [] };
  const marker = markerOf(reader);
  return changeFlags(ctx, marker, change, ids, await loadMarkable(ctx.db, marker, ids, change));
}

interface ChangedFlags {
  changedIds: number[];
  ignoredChannelIds: number[];
}

/** The user who marks messages, with realm's facts about them and the messages' channels. */
export interface Marker extends ReadStateReader {
  realmId: number;
}

export function markerOf(reader: Reader): Marker {
  return { ...reader, realmId: reader.realm.id };
}

/** Of most readers who mark messages, their own channels are known already. */
async function loadMarker(ctx: Context, caller: Caller, messages: readonly MarkableMessage[]): Promise<Marker> {
  return markerOf(await loadReader(ctx, caller, { ...channelsOf(messages), withOwn: true }));
}

/**
 * Changes a flag on those of the messages that need it, and announces that to the reader. Throws ChangedMeanwhile if
 * a message that gets a flag was deleted or moved since it was loaded, or stays read for the reader since then.
 */
export async function changeFlags(
  ctx: Context,
  marker: Marker,
  change: FlagChange,
  messageIds: readonly number[],
  messages: readonly MarkableMessage[],
): Promise<ChangedFlags> {
  const { changed, ignoredChannelIds } = decideFlags(change, messageIds, messages, marker);
  if (changed.length > 0) await storeFlags(ctx, marker, change, changed);
  return { changedIds: changed.map(({ id }) => id), ignoredChannelIds };
}

/** One statement, with the announcement. */
async function storeFlags(
  { db }: Context,
  marker: Marker,
  { op, flag }: FlagChange,
  messages: readonly MarkableMessage[],
): Promise<void> {
  const { realmId, userId } = marker;
  const ids = messages.map(({ id }) => id);
  const historicalIds = messages.filter((message) => !hasReceived(message, marker)).map(({ id }) => id);
  const eventOf = (messageIds: number[], details?: UnreadDetails[]) =>
    flagsChanged(realmId, { userId, op, flag, messageIds, isAll: false, ...(details && { details }) });
  const store = { realmId, userId, messages, historicalIds };
  if (flag === 'read' && op === 'add') {
    await storeRead(db, { ...store, event: eventOf(ids) });
    db.onAnnounced();
    return;
  }
  const { isHeld, isAnnounced } =
    flag === 'read'
      ? await storeUnread(
          db,
          { ...store, event: eventOf(ids, unreadDetails(messages, marker)) },
          {
            joinedVersions: joinedVersions(messages, marker),
            senderIds: [...new Set(messages.map((each) => each.senderId))],
          },
        )
      : await (op === 'add' ? storeFlag : storeUnflag)(db, flag, { ...store, event: eventOf([]) });
  if (!isHeld) throw new ChangedMeanwhile();
  if (isAnnounced) db.onAnnounced();
}

/** For each channel of the messages, the subscription version since which the reader receives them, as far as was known. */
function joinedVersions(messages: readonly MarkableMessage[], { channels }: ChannelReader): Map<number, number> {
  const versions = new Map<number, number>();
  for (const { channelId } of messages) {
    const version = channelId === null ? null : receivesSince(channels.get(channelId));
    if (channelId !== null && version !== null) versions.set(channelId, version);
  }
  return versions;
}

/** The locations of the messages, for clients that do not have them. */
export function unreadDetails(messages: readonly MarkableMessage[], reader: ChannelReader): UnreadDetails[] {
  return messages.map((message) => {
    const { id: messageId, channelId, topic, participantIds } = message;
    const isMuted = isInMutedTopic(message, reader);
    // As in the state of POST /register: wildcard mentions in muted topics do not count.
    const isCalled = message.mentionsReader || (message.hasWildcard && !isMuted);
    const isMentioned = isCalled && isAddressed(message, reader);
    if (channelId === null) {
      const otherUserIds = (participantIds ?? []).filter((id) => id !== reader.userId);
      return { messageId, isMentioned, kind: 'direct', otherUserIds };
    }
    return { messageId, isMentioned, kind: 'channel', channelId, topic, isMuted };
  });
}

/** The policy of a topic takes precedence over the mute of its channel. */
function isInMutedTopic({ channelId, topicPolicy }: MarkableMessage, { channels }: ChannelReader): boolean {
  if (channelId === null) return false;
  return topicPolicy === null ? channels.get(channelId)?.isMuted === true : topicPolicy === MUTED;
}

/** A flag that users can set, and whether it is set or removed. */
export interface FlagChange {
  op: 'add' | 'remove';
  flag: 'read' | PersonalFlag;
}

export const UNREADING = { op: 'remove', flag: 'read' } as const;

const EDITABLE = ['read', 'starred', 'collapsed'];
const OTHERS = [
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'group_mentioned',
  'has_alert_word',
  'historical',
  'force_expand',
  'force_collapse',
];

/** Throws for an unknown flag, a flag that clients cannot set, or an unknown operation, in this order. */
function flagChangeOf({ flag, op }: { flag: string; op: string }): FlagChange {
  if (!EDITABLE.includes(flag) && !OTHERS.includes(flag)) throw new BadRequestError(`Invalid flag: '${flag}'`);
  if (!EDITABLE.includes(flag)) throw new BadRequestError(`Flag not editable: '${flag}'`);
  if (op !== 'add' && op !== 'remove') throw new BadRequestError(`Invalid message flag operation: '${op}'`);
  return { flag: flag as FlagChange['flag'], op };
}

/** A message to be marked: the facts for the decision and the event, without its text. */
export interface MarkableMessage extends ReadableMessage, Omit<StoredReadState, 'messageId'> {
  id: number;
  conversationId: number;
  /** This and the rest: only if the message becomes unread. */
  topic: string;
  /** By name or as a member of a group. */
  mentionsReader: boolean;
  /** It mentions everybody in the channel, or in a topic with the reader among its participants. */
  hasWildcard: boolean;
  /** The reader's policy for the topic; null: none. */
  topicPolicy: number | null;
}
