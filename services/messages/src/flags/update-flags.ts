import { announce } from '@parley/shared/bus';
import { ChangedMeanwhile, repeatOnConflict, type Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { flagsChanged, type UnreadDetails } from '@parley/shared/events';
import type {
  UpdateFlagsInNarrowRequest,
  UpdateFlagsInNarrowResponse,
  UpdateFlagsRequest,
  UpdateFlagsResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { LIMITS } from '@parley/shared/values';
import { channelsOf, loadNarrowReader, loadReader } from '../access/load-reader';
import { hasReceived, isAddressed, type Reader } from '../access/permissions';
import type { Context } from '../context';
import { compileNarrow } from '../narrows/compile-narrow';
import type { ReadableMessage } from '../read-state/is-read';
import { type IsMuted, loadMutedTopics } from '../read-state/muted-topics';
import {
  keepHistorical,
  type PersonalFlag,
  setPersonalFlag,
  unsetPersonalFlag,
} from '../read-state/personal-flags.sql';
import { lockFlagged, markMessages, type StoredReadState, shareReadStateOf } from '../read-state/read-state.sql';
import { checkRange, findAround } from '../search/find-around';
import { loadMarkable } from './markable.sql';
import { decideFlags } from './permissions';

/** Sets one of the caller's flags on messages, or takes it off. */
export async function updateFlags(
  ctx: Context,
  caller: Caller,
  request: UpdateFlagsRequest,
): Promise<UpdateFlagsResponse> {
  const change = flagChangeOf(request);
  const max = LIMITS.messagesPerFetch;
  if (request.messageIds.length > max) throw new BadRequestError(`Too many messages requested (maximum ${max}).`);
  return repeatOnConflict(caller.realmId, async () => {
    const messages = await loadMarkable(ctx.db, caller.realmId, caller.userId, request.messageIds);
    const reader = await loadReader(ctx, caller, channelsOf(messages));
    return changeFlags(ctx, reader, change, request.messageIds, messages);
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

/** Sets one of the caller's flags on the messages around an anchor, or takes it off. */
async function tryToUpdate(
  ctx: Context,
  caller: Caller,
  request: UpdateFlagsInNarrowRequest,
): Promise<UpdateFlagsInNarrowResponse> {
  checkRange({ ...request, messageIds: [] });
  const change = flagChangeOf(request);
  const reader = await loadNarrowReader(ctx, caller, request.narrow);
  const narrow = await compileNarrow(ctx, caller, request.narrow, reader);
  const { ids, range } = await findAround(ctx, request, { reader, narrow });
  const messages = await loadMarkable(ctx.db, caller.realmId, caller.userId, ids);
  const { changedIds, ignoredChannelIds } = await changeFlags(ctx, reader, change, ids, messages);
  const ascending = ids.sort((a, b) => a - b);
  const [first, last] = [ascending[0], ascending.at(-1)];
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

interface ChangedFlags {
  changedIds: number[];
  ignoredChannelIds: number[];
}

/**
 * Changes a flag on those of the messages asked for where that is a change, and tells the reader's clients. Throws ChangedMeanwhile where
 * a message that is to get something was deleted or moved since it was loaded.
 */
export async function changeFlags(
  ctx: Context,
  reader: Reader,
  change: FlagChange,
  messageIds: readonly number[],
  messages: readonly MarkableMessage[],
): Promise<ChangedFlags> {
  const realmId = reader.realm.id;
  const { changed, ignoredChannelIds } = decideFlags(change, messageIds, messages, reader);
  const changedIds = changed.map(({ id }) => id);
  if (changed.length === 0) return { changedIds, ignoredChannelIds };
  const isUnreading = change.flag === 'read' && change.op === 'remove';
  const details = isUnreading ? unreadDetails(changed, reader, await loadMutedTopics(ctx.db, reader)) : undefined;
  await ctx.db.transaction(async (tx) => {
    const messageIds = await storeFlags(tx, reader, change, changed);
    const fact = { userId: reader.userId, ...change, messageIds, isAll: false };
    if (messageIds.length > 0) await announce(tx, flagsChanged(realmId, { ...fact, ...(details && { details }) }));
  });
  return { changedIds, ignoredChannelIds };
}

/** Answers the messages to announce. */
async function storeFlags(
  tx: Transaction,
  reader: Reader,
  { op, flag }: FlagChange,
  messages: readonly MarkableMessage[],
): Promise<number[]> {
  const [realmId, userId] = [reader.realm.id, reader.userId];
  const isGain = (flag === 'read') === (op === 'remove');
  if (isGain && !(await lockFlagged(tx, realmId, messages))) throw new ChangedMeanwhile();
  const ids = messages.map(({ id }) => id);
  const isHistorical = (message: MarkableMessage) => !hasReceived(message, reader);
  if (flag === 'read') {
    if (!isGain) await shareReadStateOf(tx, realmId, ids);
    await markMessages(tx, realmId, userId, ids, op === 'add');
    const historical = isGain ? messages.filter(isHistorical).map(({ id }) => id) : [];
    if (historical.length > 0) await keepHistorical(tx, realmId, userId, historical);
    return ids;
  }
  if (op === 'remove') return inOrder(ids, await unsetPersonalFlag(tx, realmId, userId, flag, ids));
  const flagged = messages.map((message) => ({ id: message.id, isHistorical: isHistorical(message) }));
  return inOrder(ids, await setPersonalFlag(tx, realmId, userId, flag, flagged));
}

function inOrder(ids: readonly number[], some: readonly number[]): number[] {
  const known = new Set(some);
  return ids.filter((id) => known.has(id));
}

/** Where the messages are, for clients that do not have them. */
export function unreadDetails(messages: readonly MarkableMessage[], reader: Reader, isMuted: IsMuted): UnreadDetails[] {
  return messages.map((message) => {
    const { id: messageId, channelId, topic, participantIds } = message;
    const isMutedTopic = channelId !== null && isMuted(channelId, topic);
    // As in the state that clients begin with: a wildcard in what is muted calls nobody.
    const isCalled = message.mentionsReader || (message.hasWildcard && !isMutedTopic);
    const isMentioned = isCalled && isAddressed(message, reader);
    if (channelId === null) {
      const otherUserIds = (participantIds ?? []).filter((id) => id !== reader.userId);
      return { messageId, isMentioned, kind: 'direct', otherUserIds };
    }
    return { messageId, isMentioned, kind: 'channel', channelId, topic, isMuted: isMutedTopic };
  });
}

/** A flag that users set themselves, and whether it is set or taken off. */
export interface FlagChange {
  op: 'add' | 'remove';
  flag: 'read' | PersonalFlag;
}

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

/** Throws for what is no flag, what nobody sets by hand, and what is no operation, in this order. */
function flagChangeOf({ flag, op }: { flag: string; op: string }): FlagChange {
  if (!EDITABLE.includes(flag) && !OTHERS.includes(flag)) throw new BadRequestError(`Invalid flag: '${flag}'`);
  if (!EDITABLE.includes(flag)) throw new BadRequestError(`Flag not editable: '${flag}'`);
  if (op !== 'add' && op !== 'remove') throw new BadRequestError(`Invalid message flag operation: '${op}'`);
  return { flag: flag as FlagChange['flag'], op };
}

/** A message to be marked: the facts for the decision and for the event, without its text. */
export interface MarkableMessage extends ReadableMessage, Omit<StoredReadState, 'messageId'> {
  id: number;
  conversationId: number;
  topic: string;
  /** By name or as a member of a group. */
  mentionsReader: boolean;
  /** It mentions all in the channel, or in a topic that the reader has taken part in. */
  hasWildcard: boolean;
}
