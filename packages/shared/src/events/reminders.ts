import type { Reminder } from '../proto';
import { publicReminder } from '../wire';
import { declareEvent } from './declare-event';

export interface ReminderAdded {
  userId: number;
  reminder: Reminder;
}

/** A user has requested a reminder of a message. Public event `reminders`, for that user. */
export const reminderAdded = declareEvent<ReminderAdded>()('reminder.added', [
  {
    type: 'reminders',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ reminder }) => ({ type: 'reminders', op: 'add', reminders: [publicReminder(reminder)] }),
  },
]);

export interface ReminderRemoved {
  userId: number;
  reminderId: number;
}

/** A reminder was sent, or its user has deleted it. Public event `reminders`, for that user. */
export const reminderRemoved = declareEvent<ReminderRemoved>()('reminder.removed', [
  {
    type: 'reminders',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ reminderId }) => ({ type: 'reminders', op: 'remove', reminder_id: reminderId }),
  },
]);
