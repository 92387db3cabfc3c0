import { displayTopic } from '../values';
import type { Audience } from './audience';
import { declareEphemeralEvent } from './declare-ephemeral-event';
import { knowsChannelTyping } from './typing-reported';

export interface EditTypingReported {
  isTyping: boolean;
  senderId: number;
  messageId: number;
  /** Where the message is: in a topic, or between these people. */
  place: { channelId: number; topic: string } | { participantIds: readonly number[] };
  audience: Audience;
}

/**
 * Somebody edits a message, or no longer does. Public event `typing_edit_message`, for those who have the message.
 *
 * SPEC-GAP: whether clients have to know of typing in channels for this one; here they do, as for `typing`.
 */
export const editTypingReported = declareEphemeralEvent<EditTypingReported>()('edit-typing.reported', [
  {
    type: 'typing_edit_message',
    audience: ({ audience }) => audience,
    isFor: ({ place }, view) => 'participantIds' in place || knowsChannelTyping(view),
    variant: ({ isEmptyTopicUnderstood }) => `${isEmptyTopicUnderstood}`,
    render: ({ isTyping, senderId, messageId, place }, { isEmptyTopicUnderstood }) => ({
      type: 'typing_edit_message',
      op: isTyping ? 'start' : 'stop',
      sender_id: senderId,
      message_id: messageId,
      recipient:
        'participantIds' in place
          ? { type: 'direct', user_ids: place.participantIds }
          : {
              type: 'channel',
              channel_id: place.channelId,
              topic: displayTopic(place.topic, isEmptyTopicUnderstood),
            },
    }),
  },
]);
