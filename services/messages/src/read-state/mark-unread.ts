import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { flagsChanged } from '@parley/shared/events';
import type { Context } from '../context';
import type { Reader } from '../messages/permissions';
import { findNewestUnread } from './find-newest-unread';
import type { UnreadQuery } from './find-unread.sql';
import { shareReadState } from './hold-read-state.sql';

/** Clients know of no more. */
export const MAX_UNREAD = 50_000;

/** Marks a place as read, if anything there is unread, and tells the reader's clients what was. */
export async function markUnread(
  ctx: Context,
  reader: Reader,
  place: Pick<UnreadQuery, 'channelIds' | 'conversationIds'>,
  mark: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await shareReadState(tx, place.conversationIds ?? []);
    const { places } = await findNewestUnread(tx, reader, { ...place, limit: MAX_UNREAD });
    if (places.length === 0) return;
    await mark(tx);
    const messageIds = places.flatMap((unread) => unread.messageIds).sort((a, b) => a - b);
    const fact = { userId: reader.userId, op: 'add', flag: 'read', messageIds, isAll: false } as const;
    await announce(tx, flagsChanged(reader.realm.id, fact));
  });
}
