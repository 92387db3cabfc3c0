import type { Schedule } from '@parley/shared/proto';
import { publicReminder, publicScheduledMessage } from '@parley/shared/wire';
import { z } from 'zod';
import { reminderSchema } from '../reminder';
import { scheduledMessageSchema } from '../scheduled-message';

/** Fields of POST /register, by what they are asked for. */
export const scheduleFields = {
  scheduled_messages: z.array(scheduledMessageSchema).describe('By time.'),
  reminders: z.array(reminderSchema).describe('By time.'),
};

type ScheduleType = keyof typeof scheduleFields;

/** What to ask the scheduler for; null: nothing. */
export function wantedSchedule(isWanted: (type: string) => boolean) {
  const [includesScheduledMessages, includesReminders] = [isWanted('scheduled_messages'), isWanted('reminders')];
  return includesScheduledMessages || includesReminders ? { includesScheduledMessages, includesReminders } : null;
}

/** The fields that were asked for. */
export function publicSchedule({ scheduledMessages, reminders }: Schedule, isWanted: (type: string) => boolean) {
  const fields = {
    scheduled_messages: scheduledMessages.map(publicScheduledMessage),
    reminders: reminders.map(publicReminder),
  };
  return Object.fromEntries(Object.entries(fields).filter(([type]) => isWanted(type as ScheduleType)));
}
