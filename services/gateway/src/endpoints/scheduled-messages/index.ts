export { createScheduledMessage } from './create-scheduled-message';
export { deleteScheduledMessage } from './delete-scheduled-message';
export { getScheduledMessages } from './get-scheduled-messages';
export { updateScheduledMessage } from './update-scheduled-message';
