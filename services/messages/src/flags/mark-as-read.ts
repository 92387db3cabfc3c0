import { announce } from '@parley/shared/bus';
import { repeatOnConflict, type Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { flagsChanged } from '@parley/shared/events';
import type {
  MarkAllAsReadResponse,
  MarkChannelAsReadRequest,
  MarkChannelAsReadResponse,
  MarkTopicAsReadRequest,
  MarkTopicAsReadResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { EMPTY_TOPIC_DISPLAY_NAME, findForbiddenCharacter, topicKey } from '@parley/shared/values';
import { loadReader } from '../access/load-reader';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { listTopics } from '../conversations/conversation.sql';
import { EVERYTHING } from '../narrows/narrow';
import { markAllRead, markChannelRead, markConversationRead, shareReadState } from '../read-state/read-state.sql';
import { lockUsersMarks, lockUsersMarksAndSends, waitForSends } from '../read-state/stays-read.sql';
import { findNewestUnread } from '../search/find-nearest-unread';
import { idsOf, type UnreadQuery } from '../search/find-unread.sql';
import { hasMessagesIn } from '../topics/list-topics.sql';
import { checkChannel } from './permissions';

/** Marks everything sent so far as read by moving a watermark, at a cost independent of the number of unread messages. */
export async function markAllAsRead(ctx: Context, { realmId, userId }: Caller): Promise<MarkAllAsReadResponse> {
  const event = flagsChanged(realmId, { userId, op: 'add', flag: 'read', messageIds: [], isAll: true });
  await repeatOnConflict(realmId, () =>
    ctx.db.transaction(async (tx) => {
      await lockUsersMarksAndSends(tx, realmId, userId);
      await markAllRead(tx, realmId, userId, event);
      tx.hasAnnounced = true;
    }),
  );
  return {};
}

/** Marks everything sent to the channel so far as read. */
export async function markChannelAsRead(
  ctx: Context,
  caller: Caller,
  { channelId }: MarkChannelAsReadRequest,
): Promise<MarkChannelAsReadResponse> {
  // What was moved here is unread for those who received it elsewhere.
  const reader = await loadReader(ctx, caller, { ids: [channelId], withOwn: true });
  checkChannel(reader, channelId);
  await markUnread(ctx, reader, { channelIds: [channelId] }, (tx, toId) =>
    markChannelRead(tx, { ...caller, id: channelId, toId }),
  );
  return {};
}

/** Marks everything sent to the topic so far as read. */
export async function markTopicAsRead(
  ctx: Context,
  caller: Caller,
  { channelId, topic }: MarkTopicAsReadRequest,
): Promise<MarkTopicAsReadResponse> {
  const reader = await loadReader(ctx, caller, { ids: [channelId], withOwn: true });
  checkChannel(reader, channelId);
  const conversationId = await findOwnTopic(ctx, reader, channelId, topic);
  await markUnread(ctx, reader, { conversationIds: [conversationId] }, (tx, toId) =>
    markConversationRead(tx, { ...caller, id: conversationId, toId }),
  );
  return {};
}

/** The topic's conversation, if the reader has received a message in it. */
async function findOwnTopic(ctx: Context, reader: Reader, channelId: number, sent: string): Promise<number> {
  const topic = sent.trim() === EMPTY_TOPIC_DISPLAY_NAME ? '' : sent.trim();
  const isPossible = findForbiddenCharacter(topic) === null;
  const [found] = isPossible ? await listTopics(ctx.db, reader.realm.id, [channelId], topicKey(topic)) : [];
  const isOwn = found !== undefined && (await hasMessagesIn(ctx.db, { reader, narrow: EVERYTHING }, found.id));
  if (!isOwn) throw new BadRequestError(`No such topic '${topic}'`);
  return found.id;
}

/** Clients do not know of more unread messages. */
export const MAX_UNREAD = 50_000;

/** Marks a channel or topic as read up to its newest unread message, and announces the marked messages. */
async function markUnread(
  ctx: Context,
  reader: Reader,
  place: Pick<UnreadQuery, 'channelIds' | 'conversationIds'>,
  mark: (tx: Transaction, toId: number) => Promise<void>,
): Promise<void> {
  const newestId = await waitForSends(ctx.db, reader.realm.id);
  await ctx.db.transaction(async (tx) => {
    await shareReadState(tx, place.conversationIds ?? [], place.channelIds);
    // A mark as unread at this moment comes before, and its message among those announced here, or comes after.
    await lockUsersMarks(tx, reader.realm.id, reader.userId);
    const { places } = await findNewestUnread(tx, reader, { ...place, toId: newestId, limit: MAX_UNREAD });
    const messageIds = idsOf(places);
    const toId = messageIds.at(-1);
    if (toId === undefined) return;
    await mark(tx, toId);
    const fact = { userId: reader.userId, op: 'add', flag: 'read', messageIds, isAll: false } as const;
    await announce(tx, flagsChanged(reader.realm.id, fact));
  });
}
