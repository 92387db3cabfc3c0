import { announce } from '@parley/shared/bus';
import { ChangedMeanwhile, type Transaction } from '@parley/shared/db';
import {
  type Audience,
  channelBeginningChanged,
  type DomainEvent,
  MAX_DELETED_SINGLY,
  messageDeleted,
  messagesDeleted,
  messagesDeletedSingly,
} from '@parley/shared/events';
import { runPeriodically } from '@parley/shared/jobs';
import type { Channel } from '@parley/shared/proto';
import type { BaseContext } from '@parley/shared/service';
import { groupBy } from '@parley/shared/values';
import type { Beginning } from '../channels/channel-activity.sql';
import { loadChannelKinds } from '../channels/load-channel-kinds';
import { type Outsiders, requireQueried, withOutsiders } from '../channels/outsiders';
import { releaseUploads } from '../content/claim-uploads';
import type { Context } from '../context';
import { audienceInChannel, type Delivered } from '../messages/edit-audiences';
import { unstarred } from '../messages/personal-flags';
import { slicesOf } from '../messages/slices';
import { listHistoricalHolders } from '../read-state/personal-flags.sql';
import {
  eraseMessages,
  type Holder,
  type LockedForDeletion,
  lockForDeletion,
  type MessageToDelete,
  purgeArchive,
} from './deletion.sql';

export type ChannelOfDeletion = Pick<
  Channel,
  'id' | 'name' | 'subscriptionVersion' | 'isPrivate' | 'isWebPublic' | 'isHistoryPublic'
> & { outsiders?: Outsiders };

interface Deletion {
  realmId: number;
  messageIds: readonly number[];
  /** The channels in which the messages may be. */
  channels: ReadonlyMap<number, ChannelOfDeletion>;
  /** The deleting user, if they may read the messages; empty for deletions by retention rules. */
  actorIds: readonly number[];
  nowMs: number;
}

/** Adds the outsiders of private channels to the audience; loaded before each attempt to delete. */
export async function withOutsidersOfDeletion(ctx: Context, deletion: Deletion): Promise<Deletion> {
  const { realmId, messageIds, channels } = deletion;
  const privateOnes = [...channels.values()].filter(({ isPrivate }) => isPrivate);
  if (privateOnes.length === 0) return deletion;
  const holderIds = await listHistoricalHolders(ctx.db, realmId, messageIds);
  const audienceChannels = await withOutsiders(ctx, realmId, privateOnes, holderIds);
  return {
    ...deletion,
    channels: new Map([...channels, ...audienceChannels.map((channel) => [channel.id, channel] as const)]),
  };
}

/**
 * Deletes messages with their dependent rows, stores a copy and announces it: the last step of a transaction before
 * notices. Skips messages that are deleted already; returns the ids of the others, ascending.

 */
export async function deleteMessages(tx: Transaction, deletion: Deletion): Promise<number[]> {
  const { realmId, nowMs, channels } = deletion;
  const locked = await lockForDeletion(tx, realmId, deletion.messageIds);
  if (locked.length === 0) return [];
  if (!locked.every((message) => isUnchanged(message, channels))) throw new ChangedMeanwhile();
  const { beginnings, linkingIds, holders } = await eraseMessages(tx, realmId, erasureOf(locked), nowMs);
  const uploadEvents = linkingIds.length > 0 ? await releaseUploads(tx, realmId, linkingIds, nowMs) : [];
  const events = [...deletionEvents(deletion, locked, holders), ...beginningEvents(deletion, locked, beginnings)];
  await announce(tx, ...events, ...uploadEvents);
  return locked.map(({ id }) => id);
}

function isUnchanged({ channelId, isTopicLocked }: LockedForDeletion, channels: Deletion['channels']): boolean {
  return isTopicLocked && (channelId === null || channels.has(channelId));
}

function erasureOf(locked: readonly MessageToDelete[]) {
  return {
    messageIds: locked.map(({ id }) => id),
    conversationIds: [...new Set(locked.map(({ conversationId }) => conversationId))],
    channelIds: [...new Set(locked.map(({ channelId }) => channelId))].filter((id) => id !== null),
  };
}

/** One per conversation. */
function deletionEvents(
  deletion: Deletion,
  locked: readonly MessageToDelete[],
  holders: readonly Holder[],
): DomainEvent[] {
  const groups = groupBy(locked, ({ conversationId }) => conversationId);
  return [...groups.values()].flatMap((messages) => {
    const { channelId, topic, participantIds } = messages.at(-1) as MessageToDelete;
    const ids = messages.map(({ id }) => id);
    if (channelId === null) {
      return announcedDeletions(deletion.realmId, ids, undefined, { to: 'users', userIds: participantIds ?? [] });
    }
    const own = holders.filter(({ messageId }) => ids.includes(messageId));
    const holderIds = [...new Set(own.filter(({ isHistorical }) => isHistorical).map(({ userId }) => userId))];
    requireQueried(deletion.channels.get(channelId) as ChannelOfDeletion, holderIds);
    const audience = audienceOf(deletion, channelId, messages, holderIds);
    // Users who have left a private channel get only the removal of their stars; others get it before the deletion.
    const stars = deletion.channels.get(channelId)?.isPrivate ? own.filter(({ isStarred }) => isStarred) : [];
    const deletions = announcedDeletions(deletion.realmId, ids, { id: channelId, topic }, audience);
    return [...unstarred(deletion.realmId, stars), ...deletions];
  });
}

function audienceOf(
  { channels, actorIds }: Deletion,
  channelId: number,
  messages: readonly MessageToDelete[],
  holderIds: readonly number[] = [],
): Audience {
  const channel = channels.get(channelId) as ChannelOfDeletion;
  return audienceInChannel(channel, messages as readonly Delivered[], actorIds, holderIds);
}

/** For channels whose first message is among the deleted ones. */
function beginningEvents(
  deletion: Deletion,
  locked: readonly MessageToDelete[],
  beginnings: readonly Beginning[],
): DomainEvent[] {
  const groups = groupBy(locked, ({ channelId }) => channelId);
  return beginnings.flatMap(({ channelId, firstMessageId }) => {
    const messages = groups.get(channelId) as MessageToDelete[];
    const firstDeletedId = (messages[0] as MessageToDelete).id;
    if (firstMessageId !== null && firstMessageId < firstDeletedId) return [];
    const { id, name } = deletion.channels.get(channelId) as ChannelOfDeletion;
    const audience = audienceOf(deletion, channelId, messages);
    return [channelBeginningChanged(deletion.realmId, { channel: { id, name }, firstMessageId, audience })];
  });
}

/**
 * Up to this number, messages have events of their own, which the events service of every version understands; more would repeat the
 * audience with each message.
 */
const FEW = 100;

/** Events of deletions: some clients take several ids at once, others need one event per message. */
export function announcedDeletions(
  realmId: number,
  messageIds: readonly number[],
  channel: { id: number; topic: string } | undefined,
  audience: Audience,
): DomainEvent[] {
  const common = { ...(channel && { channel }), audience };
  const singly =
    messageIds.length <= FEW
      ? messageIds.map((messageId) => messageDeleted(realmId, { messageId, ...common }))
      : slicesOf(messageIds, MAX_DELETED_SINGLY).map((ids) =>
          messagesDeletedSingly(realmId, { messageIds: ids, ...common }),
        );
  return [messagesDeleted(realmId, { messageIds, ...common }), ...singly];
}

/** The current channels of messages, for deletions without an actor. */
export async function loadChannelsOfDeletion(
  ctx: Context,
  realmId: number,
  messages: readonly { channelId: number | null }[],
): Promise<Map<number, ChannelOfDeletion>> {
  const channelIds = new Set(messages.flatMap(({ channelId }) => channelId ?? []));
  const kinds = await loadChannelKinds(ctx, realmId, [...channelIds]);
  return new Map([...kinds].map(([id, kind]) => [id, { ...kind, name: '' }]));
}

const EVERY_MS = 60 * 60_000;
const LIFETIME_MS = 30 * 24 * 60 * 60_000;
const BATCH_SIZE = 1_000;

type Needed = Pick<BaseContext<unknown>, 'db' | 'clock' | 'log'>;

/** Purges deleted messages thirty days after their deletion, every hour, until the returned function is called. */
export function purgeDeletedMessagesPeriodically(ctx: Needed): () => Promise<void> {
  return runPeriodically(ctx, { everyMs: EVERY_MS, failure: 'the archive was not purged' }, () => purge(ctx));
}

/** In batches, so that no statement locks many rows at once. */
async function purge({ db, clock }: Needed): Promise<void> {
  while ((await purgeArchive(db, clock.now() - LIFETIME_MS, BATCH_SIZE)) === BATCH_SIZE);
}
