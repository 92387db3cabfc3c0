import type { ConsumedEvent } from '@parley/shared/bus';
import type { PersonJoined } from '@parley/shared/events';
import { newCall } from '@parley/shared/rpc';
import { loadReader } from '../access/load-reader';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { findIdAtTime } from '../messages/id-at-time.sql';
import {
  findFirstHistory,
  hasFirstHistory,
  insertFirstHistory,
  type JoinedChannel,
} from '../read-state/first-history.sql';
import { loadMarkable } from './markable.sql';
import { changeFlags, markerOf, UNREADING } from './update-flags';

const MAX_MESSAGES = 1_000;
const MAX_AGE_MS = 12 * 7 * 24 * 60 * 60_000;
const UNREAD = 20;

/**
 * New users get recent messages of their first channels as if they had received them, so that the channels are not
 * empty. The newest ones are unread; the others are read, like all messages that were not received.
 */
export async function giveFirstHistory(ctx: Context, events: readonly ConsumedEvent<PersonJoined>[]): Promise<void> {
  for (const { realmId, payload } of events) await giveHistoryTo(ctx, realmId, payload);
}

/** The row that records this is written last; it prevents a second time after the user has read some messages. */
async function giveHistoryTo(ctx: Context, realmId: number, { userId, channelIds }: PersonJoined): Promise<void> {
  if (await hasFirstHistory(ctx.db, realmId, userId)) return;
  const oldestId = await findIdAtTime(ctx.db, realmId, ctx.clock.now() - MAX_AGE_MS);
  if (oldestId === null) return;
  const reader = await loadReader(ctx, { ...newCall(), realmId, userId }, { ids: [...channelIds] });
  const channels = channelsWithHistory(reader).filter(({ channelId }) => channelIds.includes(channelId));
  const ids = await findFirstHistory(ctx.db, realmId, channels, { fromId: oldestId, limit: MAX_MESSAGES });
  const [toId, fromId] = [ids[0], ids.at(-1)];
  if (toId === undefined || fromId === undefined) return;
  await markAsUnread(ctx, reader, ids.slice(0, UNREAD));
  await insertFirstHistory(ctx.db, realmId, userId, { channelIds: channels.map(idOf), fromId, toId });
}

/** Channels with protected history are left out. */
function channelsWithHistory({ channels }: Reader): JoinedChannel[] {
  return [...channels.values()].flatMap(({ channelId, mayReadHistory, intervals: [first] }) =>
    mayReadHistory && first ? [{ channelId, fromVersion: first.fromVersion }] : [],
  );
}

function idOf({ channelId }: JoinedChannel): number {
  return channelId;
}

/** Marked as if by hand, so that clients that have registered already get an event. */
async function markAsUnread(ctx: Context, reader: Reader, messageIds: number[]): Promise<void> {
  const marker = markerOf(reader);
  const messages = await loadMarkable(ctx.db, marker, messageIds, UNREADING);
  const ids = messages.map(({ id }) => id);
  await changeFlags(ctx, marker, UNREADING, ids, messages);
}
