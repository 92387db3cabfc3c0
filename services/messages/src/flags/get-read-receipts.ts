import { BadRequestError } from '@parley/shared/errors';
import type { GetReadReceiptsRequest, ReadReceipts, ReceiptCandidate } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { realmSettingsOf } from '@parley/shared/values';
import { channelsOf, readerOf } from '../access/load-reader';
import { mayRead } from '../access/permissions';
import type { Context } from '../context';
import { loadMessages, type MessageRow } from '../messages/message.sql';
import { hadRead } from '../read-state/is-read';
import { listHistoricalReaders, loadMarks, type Marks } from './receipts.sql';

/** Readers of a message, if the organization and they allow read receipts. */
export async function getReadReceipts(
  ctx: Context,
  caller: Caller,
  { messageId }: GetReadReceiptsRequest,
): Promise<ReadReceipts> {
  const { realmId, userId } = caller;
  const [[message], historicalIds] = await Promise.all([
    loadMessages(ctx.db, realmId, [messageId], userId),
    listHistoricalReaders(ctx.db, realmId, messageId),
  ]);
  if (!message) throw new BadRequestError('Invalid message(s)');
  const facts = await ctx.services.realm.getReadFacts(caller, {
    receipts: receiptQuery(message, historicalIds),
    channels: channelsOf([message]),
  });
  const reader = readerOf(caller, facts);
  if (!mayRead(message, reader)) throw new BadRequestError('Invalid message(s)');
  if (!realmSettingsOf(reader.realm).enable_read_receipts) {
    throw new BadRequestError(REFUSAL.messages.noReceipts);
  }
  const candidates = facts.receiptCandidates;
  const marks = await loadMarks(
    ctx.db,
    realmId,
    message,
    candidates.map((candidate) => candidate.userId),
  );
  const readers = candidates.filter((candidate) => hasRead(candidate, message, marks.get(candidate.userId)));
  return { userIds: readers.map((candidate) => candidate.userId) };
}

function receiptQuery(message: MessageRow, historicalIds: number[]) {
  const { senderId, sentChannelId, sentVersion, channelId, movedVersion, participantIds } = message;
  return {
    senderId,
    ...(sentChannelId !== null && { channelId: sentChannelId }),
    ...(sentVersion !== null && { version: sentVersion }),
    ...(channelId !== null && { currentChannelId: channelId }),
    ...(movedVersion !== null && { movedVersion }),
    userIds: [...(participantIds ?? []), ...historicalIds],
  };
}

/** Like isRead(), for another user. */
function hasRead(candidate: ReceiptCandidate, { readByIds }: MessageRow, marks: Marks | undefined): boolean {
  if (candidate.isRead || marks?.isMarkedRead) return true;
  if (marks?.isMarkedUnread) return false;
  return marks?.isPassed === true || hadRead(readByIds, candidate.userId) || !candidate.keepsReceiving;
}
