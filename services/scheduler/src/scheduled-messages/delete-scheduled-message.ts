import { announce } from '@parley/shared/bus';
import { scheduledMessageRemoved } from '@parley/shared/events';
import type { DeleteScheduledMessageRequest, DeleteScheduledMessageResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { accessOwn } from './access-own';
import { deleteScheduledMessageRow, lockScheduledMessage } from './scheduled-message.sql';
import { takeBack } from './take-back';

export async function deleteScheduledMessage(
  { db }: Context,
  caller: Caller,
  { scheduledMessageId }: DeleteScheduledMessageRequest,
): Promise<DeleteScheduledMessageResponse> {
  const { realmId, userId } = caller;
  await db.transaction(async (tx) => {
    const message = accessOwn(caller, await lockScheduledMessage(tx, { realmId, id: scheduledMessageId }));
    await takeBack(tx, message);
    await deleteScheduledMessageRow(tx, message);
    await announce(tx, scheduledMessageRemoved(realmId, { userId, scheduledMessageId }));
  });
  return {};
}
