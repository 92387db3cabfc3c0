import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type Audience, channelBeginningChanged, type DomainEvent } from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { groupBy } from '@parley/shared/values';
import { audienceInChannel, type Delivered } from '../edits/edit-audiences';
import { holdTopicsById, settleTopics } from '../edits/hold-conversations.sql';
import { ChangedMeanwhile } from '../edits/repeat-on-conflict';
import { deleteReactionsOf } from '../reactions/reactions.sql';
import { forgetReadState } from '../read-state/personal-flags.sql';
import { deleteSubmessagesOf } from '../submessages/submessages.sql';
import { releaseUploads } from '../uploads/release-uploads';
import { announcedDeletions } from './announced-deletions';
import {
  archiveMessages,
  type DoomedMessage,
  deleteRows,
  holdDoomed,
  listBeginnings,
  listTopicIdsOf,
  settleDirect,
} from './deletion.sql';

export type ChannelOfDeletion = Pick<Channel, 'id' | 'name' | 'subscriptionVersion' | 'isPrivate' | 'isHistoryPublic'>;

export interface Deletion {
  realmId: number;
  messageIds: readonly number[];
  /** Those that the messages may be in. */
  channels: ReadonlyMap<number, ChannelOfDeletion>;
  /** Who deletes, and may read, what they delete; nobody where the rules do. */
  actorIds: readonly number[];
  nowMs: number;
}

/**
 * Deletes messages with all that hangs on them, keeps them in the archive and announces it: the last thing in a transaction, but for
 * notices. Those that are gone already are left out; answers the ids of the others, ascending.
 */
export async function deleteMessages(tx: Transaction, deletion: Deletion): Promise<number[]> {
  const { realmId, nowMs, channels } = deletion;
  const topicIds = await listTopicIdsOf(tx, realmId, deletion.messageIds);
  await holdTopicsById(tx, realmId, topicIds);
  const doomed = await holdDoomed(tx, realmId, deletion.messageIds);
  if (doomed.length === 0) return [];
  if (!doomed.every((message) => isAsKnown(message, topicIds, channels))) throw new ChangedMeanwhile();
  const messageIds = doomed.map(({ id }) => id);
  const uploadEvents = await deleteAll(tx, realmId, messageIds, nowMs);
  await settleTopics(tx, realmId, topicIds);
  await settleDirect(tx, realmId, directIdsOf(doomed));
  const beginnings = await beginningEvents(tx, deletion, doomed);
  await announce(tx, ...deletionEvents(deletion, doomed), ...beginnings, ...uploadEvents);
  return messageIds;
}

function isAsKnown(
  { channelId, conversationId }: DoomedMessage,
  topicIds: readonly number[],
  channels: Deletion['channels'],
): boolean {
  return channelId === null || (topicIds.includes(conversationId) && channels.has(channelId));
}

/** Answers what is to be announced about the files that they linked to. */
async function deleteAll(tx: Transaction, realmId: number, messageIds: readonly number[], nowMs: number) {
  await archiveMessages(tx, realmId, messageIds, nowMs);
  const events = await releaseUploads(tx, realmId, messageIds, nowMs);
  await deleteReactionsOf(tx, realmId, messageIds);
  await deleteSubmessagesOf(tx, realmId, messageIds);
  await forgetReadState(tx, realmId, messageIds);
  await deleteRows(tx, realmId, messageIds);
  return events;
}

function directIdsOf(doomed: readonly DoomedMessage[]): number[] {
  const direct = doomed.filter(({ channelId }) => channelId === null);
  return [...new Set(direct.map(({ conversationId }) => conversationId))];
}

/** One for each conversation. */
function deletionEvents(deletion: Deletion, doomed: readonly DoomedMessage[]): DomainEvent[] {
  const groups = groupBy(doomed, ({ conversationId }) => conversationId);
  return [...groups.values()].flatMap((messages) => {
    const { channelId, topic, participantIds } = messages.at(-1) as DoomedMessage;
    const ids = messages.map(({ id }) => id);
    if (channelId === null) {
      return announcedDeletions(deletion.realmId, ids, undefined, { to: 'users', userIds: participantIds ?? [] });
    }
    return announcedDeletions(
      deletion.realmId,
      ids,
      { id: channelId, topic },
      audienceOf(deletion, channelId, messages),
    );
  });
}

function audienceOf({ channels, actorIds }: Deletion, channelId: number, messages: readonly DoomedMessage[]): Audience {
  return audienceInChannel(channels.get(channelId) as ChannelOfDeletion, messages as readonly Delivered[], actorIds);
}

async function beginningEvents(tx: Transaction, deletion: Deletion, doomed: readonly DoomedMessage[]) {
  const groups = groupBy(doomed, ({ channelId }) => channelId);
  const channelIds = [...groups.keys()].filter((id) => id !== null);
  if (channelIds.length === 0) return [];
  const beginnings = await listBeginnings(tx, deletion.realmId, channelIds);
  return beginnings.flatMap(({ channelId, firstMessageId }) => {
    const messages = groups.get(channelId) as DoomedMessage[];
    const firstDeletedId = (messages[0] as DoomedMessage).id;
    if (firstMessageId !== null && firstMessageId < firstDeletedId) return [];
    const { id, name } = deletion.channels.get(channelId) as ChannelOfDeletion;
    const audience = audienceOf(deletion, channelId, messages);
    return [channelBeginningChanged(deletion.realmId, { channel: { id, name }, firstMessageId, audience })];
  });
}
