import type { GetScheduleRequest, Schedule } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { selectReminders } from '../reminders/reminder.sql';
import { selectScheduledMessages } from '../scheduled-messages/scheduled-message.sql';

/** What of the caller's is to come, for POST /register. */
export async function getSchedule(
  { db }: Context,
  caller: Caller,
  { includesScheduledMessages, includesReminders }: GetScheduleRequest,
): Promise<Schedule> {
  const [scheduledMessages, reminders] = await Promise.all([
    includesScheduledMessages ? selectScheduledMessages(db, caller) : [],
    includesReminders ? selectReminders(db, caller) : [],
  ]);
  return { scheduledMessages, reminders };
}
