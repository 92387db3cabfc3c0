import type { ScheduledMessage } from '../proto';
import { publicScheduledMessage } from '../wire';
import { declareEvent } from './declare-event';

export interface ScheduledMessageChanged {
  userId: number;
  scheduledMessage: ScheduledMessage;
}

/** A user has changed a scheduled message, or it could not be sent. Public event `scheduled_messages`, for that user. */
export const scheduledMessageChanged = declareEvent<ScheduledMessageChanged>()('scheduled-message.changed', [
  {
    type: 'scheduled_messages',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ scheduledMessage }) => ({
      type: 'scheduled_messages',
      op: 'update',
      scheduled_message: publicScheduledMessage(scheduledMessage),
    }),
  },
]);
