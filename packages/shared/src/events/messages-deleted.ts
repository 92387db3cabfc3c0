import { displayTopic } from '../values';
import type { Audience } from './audience';
import { type ClientView, declareEvent, MAX_PARTS } from './declare-event';

const CAPABILITY = 'bulk_message_deletion';

export interface MessagesDeleted {
  /** Ascending. */
  messageIds: readonly number[];
  /** Their former location; absent for direct messages. */
  channel?: { id: number; topic: string };
  audience: Audience;
}

const variant = (view: ClientView) => `${view.isEmptyTopicUnderstood}`;

/**
 * Messages were deleted, or became inaccessible to the receivers. Public event `delete_message`, for clients that take many ids at once.
 */
export const messagesDeleted = declareEvent<MessagesDeleted>()('messages.deleted', [
  {
    type: 'delete_message',
    audience: ({ audience }) => audience,
    isFor: (_payload, { capabilities }) => capabilities.includes(CAPABILITY),
    variant,
    render: ({ messageIds, channel }, view) => ({
      type: 'delete_message',
      message_ids: messageIds,
      ...placeMembers(channel, view),
    }),
  },
]);

/** The same for one message, for all other clients: announced for each message in messagesDeleted, if these are few. */
export const messageDeleted = declareEvent<Omit<MessagesDeleted, 'messageIds'> & { messageId: number }>()(
  'message.deleted',
  [
    {
      type: 'delete_message',
      audience: ({ audience }) => audience,
      isFor: (_payload, { capabilities }) => !capabilities.includes(CAPABILITY),
      variant,
      render: ({ messageId, channel }, view) => ({
        type: 'delete_message',
        message_id: messageId,
        ...placeMembers(channel, view),
      }),
    },
  ],
);

/** Maximum number of messages in messagesDeletedSingly. */
export const MAX_DELETED_SINGLY = MAX_PARTS / 2;

/** The same for many messages, in parts: each becomes as many public events as it names messages. */
export const messagesDeletedSingly = declareEvent<MessagesDeleted>()('messages.deleted-singly', [
  {
    type: 'delete_message',
    audience: ({ audience }) => audience,
    isFor: (_payload, { capabilities }) => !capabilities.includes(CAPABILITY),
    parts: ({ messageIds, ...common }) => messageIds.map((messageId) => ({ ...common, messageIds: [messageId] })),
    variant,
    render: ({ messageIds: [messageId], channel }, view) => ({
      type: 'delete_message',
      message_id: messageId,
      ...placeMembers(channel, view),
    }),
  },
]);

function placeMembers(channel: MessagesDeleted['channel'], { isEmptyTopicUnderstood }: ClientView) {
  if (channel === undefined) return { message_type: 'private' };
  return {
    message_type: 'stream',
    stream_id: channel.id,
    topic: displayTopic(channel.topic, isEmptyTopicUnderstood),
  };
}

/** The operator has filled an organization with messages, without an event for each: existing queues are outdated. */
export const messagesFilled = declareEvent<Record<string, never>>()('messages.filled', []);
