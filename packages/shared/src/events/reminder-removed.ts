import { declareEvent } from './declare-event';

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
