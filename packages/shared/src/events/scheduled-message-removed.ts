import { declareEvent } from './declare-event';

export interface ScheduledMessageRemoved {
  userId: number;
  scheduledMessageId: number;
}

/** A scheduled message was sent, or its author has deleted it. Public event `scheduled_messages`, for that user. */
export const scheduledMessageRemoved = declareEvent<ScheduledMessageRemoved>()('scheduled-message.removed', [
  {
    type: 'scheduled_messages',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ scheduledMessageId }) => ({
      type: 'scheduled_messages',
      op: 'remove',
      scheduled_message_id: scheduledMessageId,
    }),
  },
]);
