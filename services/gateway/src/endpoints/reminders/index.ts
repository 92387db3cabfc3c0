export { createReminder } from './create-reminder';
export { deleteReminder } from './delete-reminder';
export { getReminders } from './get-reminders';
