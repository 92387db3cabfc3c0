import type { Message } from '../proto';
import { publicMessage } from '../wire';
import { declareEvent, type Receiver } from './declare-event';

export interface MessageSent {
  message: Message;
  /** Channel messages: the channel's subscription version at sending, and whether every member may read the channel. */
  subscriptionVersion?: number;
  isChannelPublic?: boolean;
  /** Those for whom it starts as read. */
  readByIds: number[];
  mentionedIds: number[];
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  /** Whom a mention of the topic means: those who have taken part in it. Absent: everybody. */
  topicParticipantIds?: number[];
  /** Local echo: `localId` goes to the queue `queueId` only. */
  queueId?: string;
  localId?: string;
}

/** A message was stored. Public event `message`, for those who received it. */
export const messageSent = declareEvent<MessageSent>()('message.sent', [
  {
    type: 'message',
    audience: ({ message, subscriptionVersion, isChannelPublic }) =>
      message.channelId === undefined
        ? { to: 'users', userIds: message.participants.map(({ id }) => id) }
        : {
            to: 'subscribers',
            channelId: message.channelId,
            version: subscriptionVersion as number,
            isPublic: isChannelPublic === true,
          },
    variant: (view) => `${view.applyMarkdown}${view.clientGravatar}${view.isEmptyTopicUnderstood}`,
    render: ({ message }, view) => ({ type: 'message', message: publicMessage(message, view) }),
    personal: (payload) => {
      const flagsOf = flagsFor(payload);
      return (receiver) => ({ flags: flagsOf(receiver), ...localEcho(payload, receiver) });
    },
  },
]);

function flagsFor(payload: MessageSent): (receiver: Receiver) => string[] {
  const readByIds = new Set(payload.readByIds);
  const mentionedIds = new Set(payload.mentionedIds);
  const topicParticipantIds = payload.topicParticipantIds && new Set(payload.topicParticipantIds);
  const isParticipant = (userId: number) => topicParticipantIds?.has(userId) ?? true;
  return ({ userId }) => [
    ...(readByIds.has(userId) ? ['read'] : []),
    ...(mentionedIds.has(userId) ? ['mentioned'] : []),
    ...wildcardFlags(payload.mentionsChannel, payload.mentionsTopic && isParticipant(userId)),
  ];
}

function wildcardFlags(isChannelMentioned: boolean, isTopicMentioned: boolean): string[] {
  return [
    ...(isChannelMentioned ? ['stream_wildcard_mentioned'] : []),
    ...(isTopicMentioned ? ['topic_wildcard_mentioned'] : []),
    // Deprecated union of the two, still read by clients.
    ...(isChannelMentioned || isTopicMentioned ? ['wildcard_mentioned'] : []),
  ];
}

function localEcho({ queueId, localId }: MessageSent, receiver: Receiver): Record<string, string> {
  if (localId === undefined || queueId !== receiver.queueId) return {};
  // SPEC-GAP: the documents name `local_id`, existing clients read `local_message_id`: both are sent.
  return { local_message_id: localId, local_id: localId };
}
