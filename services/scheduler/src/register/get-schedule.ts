import type { GetScheduleRequest, Schedule } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { selectReminders } from '../reminders/reminder.sql';
import { withhold } from '../reminders/withheld-text';
import { presentScheduledMessage } from '../scheduled-messages/scheduled-message';
import { selectScheduledMessages } from '../scheduled-messages/scheduled-message.sql';

/** The caller's scheduled messages and reminders, for POST /register. */
export async function getSchedule(
  ctx: Context,
  caller: Caller,
  { includesScheduledMessages, includesReminders }: GetScheduleRequest,
): Promise<Schedule> {
  const { result, snapshot } = await ctx.db.readAtOnce(async (sql) => ({
    scheduledMessages: includesScheduledMessages ? await selectScheduledMessages(sql, caller) : [],
    reminders: includesReminders ? await selectReminders(sql, caller) : [],
  }));
  const scheduledMessages = result.scheduledMessages.map(presentScheduledMessage);
  return { scheduledMessages, reminders: await withhold(ctx, caller, result.reminders), snapshot };
}
