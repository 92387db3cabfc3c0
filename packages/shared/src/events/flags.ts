import { displayTopic } from '../values';
import type { Audience } from './audience';
import { type DomainEvent, declareEvent } from './declare-event';

/** The location of a message that has become unread again, for clients that do not have it. */
export type UnreadDetails = { messageId: number; isMentioned: boolean } & (
  | { kind: 'channel'; channelId: number; topic: string; isMuted: boolean }
  /** Without the user. */
  | { kind: 'direct'; otherUserIds: number[] }
);

export interface FlagsChanged {
  /** 0: all of `audience`. */
  userId: number;
  /** Further users with the same flags, who share the event. */
  audience?: Audience;
  op: 'add' | 'remove';
  flag: string;
  /** The messages whose flag changed; empty for all (`isAll`). */
  messageIds: number[];
  /** All messages of the user are read. */
  isAll: boolean;
  /** Only if messages become unread again. */
  details?: UnreadDetails[];
}

/** Maximum number of messages in a joined event. */
const MAX_JOINED_MESSAGES = 5_000;

/** Users for whom the state of many messages changed. */
export function flagsChangedFor(
  realmId: number,
  audience: Audience,
  change: { op: 'add' | 'remove'; flag: string; messageIds: readonly number[] },
): DomainEvent<'flags.changed', FlagsChanged> {
  return flagsChanged(realmId, { userId: 0, audience, isAll: false, ...change, messageIds: [...change.messageIds] });
}

/** A user has set or removed a flag on messages. Public event `update_message_flags`, for that user. */
export const flagsChanged = declareEvent<FlagsChanged>()('flags.changed', [
  {
    type: 'update_message_flags',
    audience: ({ userId, audience }) => audience ?? { to: 'users', userIds: [userId] },
    variant: (view) => `${view.isEmptyTopicUnderstood}`,
    join: joinChanges,
    render: ({ op, flag, messageIds, isAll, details }, view) => ({
      type: 'update_message_flags',
      op,
      // Deprecated copy, still read by clients.
      operation: op,
      flag,
      messages: [...new Set(messageIds)],
      all: isAll,
      ...(details && { message_details: publicDetails(details, view.isEmptyTopicUnderstood) }),
    }),
  },
]);

/** The same change to other messages of the same users; null if the event has further members, or is about all messages. */
function joinChanges(earlier: FlagsChanged, later: FlagsChanged): FlagsChanged | null {
  if (earlier.audience !== undefined || later.audience !== undefined) return null;
  const isAlike = earlier.op === later.op && earlier.flag === later.flag;
  const isPlain = [earlier, later].every(({ isAll, details }) => !isAll && details === undefined);
  if (!isAlike || !isPlain || (later.op === 'remove' && later.flag === 'read')) return null;
  // NOTE: a run of thousands is joined step by step, so duplicates are removed only once, by render().
  const messageIds = earlier.messageIds.concat(later.messageIds);
  return messageIds.length > MAX_JOINED_MESSAGES ? null : { ...later, messageIds };
}

function publicDetails(details: readonly UnreadDetails[], isEmptyTopicUnderstood: boolean) {
  return Object.fromEntries(
    details.map((message) => {
      const mention = message.isMentioned ? { mentioned: true } : {};
      if (message.kind === 'direct')
        return [message.messageId, { type: 'private', user_ids: message.otherUserIds, ...mention }];
      const topic = displayTopic(message.topic, isEmptyTopicUnderstood);
      const place = { type: 'stream', stream_id: message.channelId, topic, unmuted_stream_msg: !message.isMuted };
      return [message.messageId, { ...place, ...mention }];
    }),
  );
}

export interface MessagesReturned {
  messageIds: readonly number[];
  /** Where they were, and where they are. */
  fromChannelId: number;
  channelId: number;
  /**
   * The subscription version at which the first of them came to the former channel: users subscribed since then had all of them.
   */
  heldSince: number;
}

/**
 * Messages that had been moved before went to another channel again, possibly back. The messages service announces to subscribers
 * of this channel, who were not in the former one, their unread messages.
 */
export const messagesReturned = declareEvent<MessagesReturned>()('messages.returned', []);
