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
