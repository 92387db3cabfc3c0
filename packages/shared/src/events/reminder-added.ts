import type { Reminder } from '../proto';
import { publicReminder } from '../wire';
import { declareEvent } from './declare-event';

export interface ReminderAdded {
  userId: number;
  reminder: Reminder;
}

/** A user wants to be reminded of a message. Public event `reminders`, for that user. */
export const reminderAdded = declareEvent<ReminderAdded>()('reminder.added', [
  {
    type: 'reminders',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ reminder }) => ({ type: 'reminders', op: 'add', reminders: [publicReminder(reminder)] }),
  },
]);
