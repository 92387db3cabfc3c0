import { displayTopic, unknownUser } from '../values';
import type { Audience } from './audience';
import { type ClientView, declareEphemeralEvent } from './declare-event';

export interface ReportedUser {
  id: number;
  email: string;
}

export interface TypingReported {
  isTyping: boolean;
  sender: ReportedUser;
  /** The message's destination: a topic, or these users, including the sender. */
  to: { channelId: number; topic: string } | { recipients: readonly ReportedUser[] };
  audience: Audience;
}

/** A user started or stopped typing a message. Public event `typing`, for its recipients. */
export const typingReported = declareEphemeralEvent<TypingReported>()('typing.reported', [
  {
    type: 'typing',
    audience: ({ audience }) => audience,
    isFor: ({ to }, view) => 'recipients' in to || knowsChannelTyping(view),
    // Users of a direct conversation know each other.
    actorId: ({ sender, to }) => ('recipients' in to ? null : sender.id),
    variant: ({ isEmptyTopicUnderstood, isActorHidden }) => `${isEmptyTopicUnderstood}${isActorHidden === true}`,
    render: ({ isTyping, sender, to }, { isEmptyTopicUnderstood, isActorHidden }) => ({
      type: 'typing',
      op: isTyping ? 'start' : 'stop',
      sender: publicUser(isActorHidden ? unknownUser(0, sender.id) : sender),
      ...('recipients' in to
        ? { message_type: 'direct', recipients: to.recipients.map(publicUser) }
        : {
            message_type: 'stream',
            stream_id: to.channelId,
            topic: displayTopic(to.topic, isEmptyTopicUnderstood),
          }),
    }),
  },
]);

/** Events of channels go only to clients that declared the capability. */
function knowsChannelTyping({ capabilities }: ClientView): boolean {
  return capabilities.includes('stream_typing_notifications');
}

function publicUser({ id, email }: ReportedUser) {
  return { user_id: id, email };
}

export interface EditTypingReported {
  isTyping: boolean;
  senderId: number;
  messageId: number;
  /** The message's location: a topic, or a conversation of these users. */
  place: { channelId: number; topic: string } | { participantIds: readonly number[] };
  audience: Audience;
}

/**
 * A user started or stopped editing a message. Public event `typing_edit_message`, for those who have the message.
 *
 * SPEC-GAP: whether this needs the capability for typing in channels is not documented; here it does, as for `typing`.
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
