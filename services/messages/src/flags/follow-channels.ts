import { announce, type ConsumedEvent } from '@parley/shared/bus';
import {
  type Audience,
  type ChannelArchived,
  flagsChanged,
  flagsChangedFor,
  type MutedUsersChanged,
  type SubscriptionChanged,
} from '@parley/shared/events';
import { newCall } from '@parley/shared/rpc';
import { loadOwnReaders, loadReader } from '../access/load-reader';
import type { Reader, UnreadReader } from '../access/permissions';
import type { Context } from '../context';
import {
  forgetUnreadIn,
  markChannelReadForAll,
  markLateReadForAll,
  markMessagesRead,
  shareReadStateOf,
} from '../read-state/read-state.sql';
import { type LeftChannel, rememberArchived, rememberLeaving, rememberMuted } from '../read-state/stays-read.sql';
import { findReadByLeaving, findUnreadOf } from '../search/find-unread.sql';
import { MAX_UNREAD } from './mark-as-read';

/**
 * After a user leaves a channel its messages count as read, also those marked as unread by hand. This announces
 * which messages became read, and deletes the marks, so that they do not come back on subscribing again. The events are of one organization.
 */
export async function forgetLeftChannels(
  ctx: Context,
  events: readonly ConsumedEvent<SubscriptionChanged>[],
): Promise<void> {
  const [first] = events;
  if (!first) return;
  const leavings = leavingsOf(events);
  for await (const reader of loadOwnReaders(ctx, first.realmId, [...leavings.keys()])) {
    for (const left of leavings.get(reader.userId) ?? []) await forgetLeft(ctx, reader, left);
  }
}

/** What each user has left, each channel once, in as few lists as possible: people leave many channels at once. */
function leavingsOf(events: readonly ConsumedEvent<SubscriptionChanged>[]): Map<number, LeftChannel[][]> {
  const leavings = new Map<number, LeftChannel[][]>();
  for (const { payload } of events) {
    const { channelId, version, unsubscribedIds } = payload;
    for (const userId of unsubscribedIds) {
      const lists = leavings.get(userId) ?? [];
      leavings.set(userId, lists);
      const latest = lists.at(-1);
      if (latest?.every((channel) => channel.channelId !== channelId)) latest.push({ channelId, version });
      else lists.push([{ channelId, version }]);
    }
  }
  return leavings;
}

async function forgetLeft(ctx: Context, reader: UnreadReader, left: readonly LeftChannel[]): Promise<void> {
  const { realm, userId } = reader;
  const ids = left.map(({ channelId }) => channelId);
  const known = left.filter((channel) => leftInterval(reader, channel) !== undefined);
  await ctx.db.transaction(async (tx) => {
    // A deactivated user marks nothing, and leaves nothing behind when they are erased.
    if (!reader.isDeactivated) await rememberLeaving(tx, realm.id, userId, left);
    const former = readerBefore(reader, known);
    const messageIds = known.length > 0 ? await findReadByLeaving(tx, former, reader, known, MAX_UNREAD) : [];
    await forgetUnreadIn(tx, realm.id, ids, userId);
    if (messageIds.length === 0) return;
    const fact = { userId, op: 'add', flag: 'read', messageIds, isAll: false } as const;
    await announce(tx, flagsChanged(realm.id, fact));
  });
}

/** The subscription that ended at that version; undefined: unknown. */
function leftInterval({ channels }: UnreadReader, { channelId, version }: LeftChannel) {
  return channels.get(channelId)?.intervals.find(({ toVersion }) => toVersion === version);
}

/** The reader as of leaving the channels. */
function readerBefore(reader: UnreadReader, left: readonly LeftChannel[]): UnreadReader {
  const channels = new Map(reader.channels);
  for (const each of left) {
    const [channel, interval] = [channels.get(each.channelId), leftInterval(reader, each)];
    if (!channel || !interval) continue;
    channels.set(each.channelId, {
      ...channel,
      isSubscribed: true,
      intervals: [{ fromVersion: interval.fromVersion }],
    });
  }
  return { ...reader, channels };
}

/** Maximum number of messages in one event. */
const MESSAGES_AT_ONCE = 5_000;

/**
 * Messages of an archived channel are read for everybody, and stay so after it is restored, including those sent
 * concurrently and stored after the marking. A few events serve all subscribers: they may name messages that some had read
 * before, which changes nothing.
 */
export async function readArchivedChannels(
  ctx: Context,
  events: readonly ConsumedEvent<ChannelArchived>[],
): Promise<void> {
  for (const { realmId, payload } of events) {
    const { channel, atMs } = payload;
    if (channel.isArchived) await readFor(ctx, realmId, channel, markChannelReadForAll);
    else await readFor(ctx, realmId, channel, atMs === undefined ? null : lateUntil(atMs));
  }
}

type Mark = typeof markChannelReadForAll;

function lateUntil(unarchivedAtMs: number): Mark {
  return (tx, realmId, channelId, userIds, limit) =>
    markLateReadForAll(tx, realmId, { channelId, userIds, beforeMs: unarchivedAtMs, limit });
}

async function readFor(
  ctx: Context,
  realmId: number,
  { id: channelId, isArchived }: { id: number; isArchived: boolean },
  mark: Mark | null,
): Promise<void> {
  const { version, subscribers } = await ctx.services.realm.getSubscribers(newCall(), { realmId, channelId });
  const current = subscribers.filter(({ intervals }) => intervals.some(({ toVersion }) => toVersion === undefined));
  const userIds = current.map(({ userId }) => userId).sort((a, b) => a - b);
  await ctx.db.transaction(async (tx) => {
    await rememberArchived(tx, { realmId, channelId, isArchived });
    if (mark === null || userIds.length === 0) return;
    const messageIds = await mark(tx, realmId, channelId, userIds, MAX_UNREAD);
    const audience: Audience = { to: 'subscribers', channelId, version, isPublic: false };
    for (let begin = 0; begin < messageIds.length; begin += MESSAGES_AT_ONCE) {
      const read = messageIds.slice(begin, begin + MESSAGES_AT_ONCE);
      await announce(tx, flagsChangedFor(realmId, audience, { op: 'add', flag: 'read', messageIds: read }));
    }
  });
}

/**
 * Messages of a muted user count as read. This announces which messages became read, and
 * keeps them read after the mute ends.
 */
export async function readMutedSenders(
  ctx: Context,
  events: readonly ConsumedEvent<MutedUsersChanged>[],
): Promise<void> {
  for (const { realmId, payload } of events) {
    const { userId, mutedUserId, isMuted } = payload;
    const reader = await loadReader(ctx, { ...newCall(), realmId, userId }, { ids: [], withOwn: true });
    // The reader has unmuted the user since; that has its own event.
    if (reader.mutedUserIds.has(mutedUserId) !== isMuted) continue;
    await readAllOf(ctx, reader, mutedUserId, isMuted);
  }
}

/** No event after an unmute: the reader's clients have these messages as read. */
async function readAllOf(ctx: Context, reader: Reader, senderId: number, isMuted: boolean): Promise<void> {
  const { realm, userId } = reader;
  const mutedUserIds = new Set([...reader.mutedUserIds].filter((id) => id !== senderId));
  await ctx.db.transaction(async (tx) => {
    if (!reader.isDeactivated) await rememberMuted(tx, { realmId: realm.id, userId, senderId, isMuted });
    const unreadIds = await findUnreadOf(tx, { ...reader, mutedUserIds }, senderId, MAX_UNREAD);
    if (unreadIds.length === 0) return;
    await shareReadStateOf(tx, realm.id, unreadIds);
    await markMessagesRead(tx, realm.id, userId, unreadIds);
    const messageIds = unreadIds.sort((a, b) => a - b);
    const fact = { userId, op: 'add', flag: 'read', messageIds, isAll: false } as const;
    if (isMuted) await announce(tx, flagsChanged(realm.id, fact));
  });
}
