import type { ScheduledMessage } from '../proto';
import { publicScheduledMessage } from '../wire';
import { declareEvent } from './declare-event';

export interface ScheduledMessageAdded {
  userId: number;
  scheduledMessage: ScheduledMessage;
}

/** A user has scheduled a message. Public event `scheduled_messages`, for that user. */
export const scheduledMessageAdded = declareEvent<ScheduledMessageAdded>()('scheduled-message.added', [
  {
    type: 'scheduled_messages',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ scheduledMessage }) => ({
      type: 'scheduled_messages',
      op: 'add',
      scheduled_messages: [publicScheduledMessage(scheduledMessage)],
    }),
  },
]);
