import { announce } from '@parley/shared/bus';
import { ChangedMeanwhile, type Transaction } from '@parley/shared/db';
import { flagsChanged, type UnreadDetails } from '@parley/shared/events';
import type { Context } from '../context';
import { hasReceived, isAddressed, type Reader } from '../messages/permissions';
import type { FlagChange } from './flag-change';
import { holdFlagged, shareReadStateOf } from './hold-read-state.sql';
import type { MarkableMessage } from './markable-message';
import { type IsMuted, loadMutedTopics } from './muted-topics';
import { decideFlags } from './permissions';
import { keepHistorical, setPersonalFlag, unsetPersonalFlag } from './personal-flags.sql';
import { markMessages } from './read-state.sql';

export interface ChangedFlags {
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

/** The answer: for which messages clients are to be told. */
async function storeFlags(
  tx: Transaction,
  reader: Reader,
  { op, flag }: FlagChange,
  messages: readonly MarkableMessage[],
): Promise<number[]> {
  const [realmId, userId] = [reader.realm.id, reader.userId];
  const isGain = (flag === 'read') === (op === 'remove');
  if (isGain && !(await holdFlagged(tx, realmId, messages))) throw new ChangedMeanwhile();
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
