import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { reminderRemoved } from '@parley/shared/events';
import type { DeleteReminderRequest, DeleteReminderResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { cancelDueJob } from '../due-jobs';
import { deleteReminderRow } from './reminder.sql';
import { reminderJob } from './reminder-jobs';

/** Deletes a reminder of the caller; one that is being sent at this moment may come all the same. */
export async function deleteReminder(
  { db }: Context,
  caller: Caller,
  { reminderId }: DeleteReminderRequest,
): Promise<DeleteReminderResponse> {
  const { realmId, userId } = caller;
  await db.transaction(async (tx) => {
    if (!(await deleteReminderRow(tx, caller, reminderId))) throw reminderDoesNotExist();
    await cancelDueJob(tx, reminderJob(realmId, reminderId));
    await announce(tx, reminderRemoved(realmId, { userId, reminderId }));
  });
  return {};
}

function reminderDoesNotExist(): BadRequestError {
  return new BadRequestError('Reminder does not exist', {}, 404);
}
