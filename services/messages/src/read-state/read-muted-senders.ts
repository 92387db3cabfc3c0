import { announce, type ConsumedEvent } from '@parley/shared/bus';
import { flagsChanged, type MutedUsersChanged } from '@parley/shared/events';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import type { Reader } from '../messages/permissions';
import { findUnreadOf } from './find-unread.sql';
import { shareReadStateOf } from './hold-read-state.sql';
import { MAX_UNREAD } from './mark-unread';
import { markMessages } from './read-state.sql';

/**
 * What comes from somebody whom the reader has muted counts as read without this; it tells the reader's clients what became read, and
 * keeps all that from becoming unread when the reader mutes them no more.
 */
export async function readMutedSenders(
  ctx: Context,
  events: readonly ConsumedEvent<MutedUsersChanged>[],
): Promise<void> {
  for (const { realmId, payload } of events) {
    const { userId, mutedUserId, isMuted } = payload;
    const reader = await loadReader(ctx, { ...newCall(), realmId, userId });
    // The reader has changed their mind since: that is an event of its own.
    if (reader.mutedUserIds.has(mutedUserId) !== isMuted) continue;
    await readAllOf(ctx, reader, mutedUserId, isMuted);
  }
}

/** What was sent while they were muted the reader's clients have got as read. */
async function readAllOf(ctx: Context, reader: Reader, senderId: number, isTold: boolean): Promise<void> {
  const { realm, userId } = reader;
  const mutedUserIds = new Set([...reader.mutedUserIds].filter((id) => id !== senderId));
  await ctx.db.transaction(async (tx) => {
    const unreadIds = await findUnreadOf(tx, { ...reader, mutedUserIds }, senderId, MAX_UNREAD);
    if (unreadIds.length === 0) return;
    await shareReadStateOf(tx, realm.id, unreadIds);
    await markMessages(tx, realm.id, userId, unreadIds, true);
    const messageIds = unreadIds.sort((a, b) => a - b);
    const fact = { userId, op: 'add', flag: 'read', messageIds, isAll: false } as const;
    if (isTold) await announce(tx, flagsChanged(realm.id, fact));
  });
}
