import type { Message, PersonalFlags, User } from '../proto';
import { unknownUser } from '../values';
import { publicMessage } from '../wire';
import type { Audience } from './audience';
import { declareEvent, type Receiver } from './declare-event';
import { type FlagFacts, flagsFor } from './message-flags';

export interface MessageSent {
  message: Message;
  /** Channel messages: the channel's subscription version at sending, and whether every member may read the channel. */
  subscriptionVersion?: number;
  isChannelPublic?: boolean;
  /** Users for whom it starts as read. */
  readByIds: number[];
  /** Present: the message starts as read for all other users. */
  unreadForIds?: readonly number[];
  mentionedIds: number[];
  /** Channel messages: mentioned bots without a subscription, which get it as read. Absent: none. */
  mentionedBotIds?: number[];
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  /** The participants included in a mention of the topic. Absent or empty: everybody. */
  topicParticipantIds?: number[];
  /** Nobody who is away is told of it. */
  isQuiet?: boolean;
  /** Local echo: `localId` goes to the queue `queueId` only. */
  queueId?: string;
  localId?: string;
}

/** A message was stored. Public event `message`, for its receivers. */
export const messageSent = declareEvent<MessageSent>()('message.sent', [
  {
    type: 'message',
    audience: audienceOfSent,
    // Users of a direct conversation know each other, and bots are known to all.
    actorId: ({ message: { channelId, sender } }) =>
      channelId === undefined || sender?.isBot ? null : (sender as User).id,
    variant: (view) =>
      `${view.applyMarkdown}${view.clientGravatar}${view.isEmptyTopicUnderstood}${view.isActorHidden === true}`,
    render: ({ message }, view) => ({
      type: 'message',
      message: publicMessage(view.isActorHidden ? withoutSender(message) : message, view),
    }),
    personal: (payload) => {
      const [flagsOf, ownFlagsOf] = [flagsFor(factsOf(payload)), firstFlags(payload)];
      return (receiver) => ({
        flags: flagsOf(receiver, receiver.hasLeft?.() ? READ : ownFlagsOf(receiver.userId)),
        ...localEcho(payload, receiver),
      });
    },
  },
]);

type Addressed = Pick<MessageSent, 'subscriptionVersion' | 'isChannelPublic' | 'mentionedBotIds'> & {
  message: Pick<Message, 'channelId' | 'participants'>;
};

/** The receivers of a message, and of the events about it from the same transaction. */
export function audienceOfSent(sent: Addressed): Audience {
  const { message, subscriptionVersion, isChannelPublic, mentionedBotIds } = sent;
  const { channelId, participants } = message;
  if (channelId === undefined) return { to: 'users', userIds: participants.map(({ id }) => id) };
  return {
    to: 'subscribers',
    channelId,
    version: subscriptionVersion as number,
    isPublic: isChannelPublic === true,
    ...(mentionedBotIds && { alsoIds: mentionedBotIds }),
  };
}

/** The message for viewers who may not see its sender. */
export function withoutSender(message: Message): Message {
  return { ...message, sender: unknownUser(message.realmId, (message.sender as User).id) };
}

function factsOf({ message, ...facts }: MessageSent): FlagFacts {
  const { sender, content, sentAtMs } = message;
  return { ...facts, senderId: (sender as User).id, text: content, sentAtMs };
}

const UNREAD: PersonalFlags = { isRead: false, isStarred: false, isCollapsed: false };
const READ: PersonalFlags = { ...UNREAD, isRead: true };

/** The initial flags of the message for each receiver. */
function firstFlags({ readByIds, unreadForIds, mentionedBotIds = [] }: MessageSent): (userId: number) => PersonalFlags {
  const readers = new Set([...readByIds, ...mentionedBotIds]);
  const unreadFor = unreadForIds && new Set(unreadForIds);
  return (userId) => (readers.has(userId) || unreadFor?.has(userId) === false ? READ : UNREAD);
}

/** Only in the sender's own queue: another user's queue id is ignored. */
function localEcho({ queueId, localId, message }: MessageSent, receiver: Receiver): Record<string, string> {
  const isOwn = queueId === receiver.queueId && message.sender?.id === receiver.userId;
  if (localId === undefined || !isOwn) return {};
  // SPEC-GAP: `local_id` is documented, existing clients read `local_message_id`: both are sent.
  return { local_message_id: localId, local_id: localId };
}
