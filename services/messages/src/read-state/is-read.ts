// Read state: no row says what a user has read. The narrowest rule decides: marks in a topic or direct conversation (read_exception, ranges of ids),
// then the channel's watermark, then the one for everything, then how the message began: read for its sender (is_read_by_sender), for the users
// who caused a notice (read_by_ids), and for users who did not receive it. Messages of muted users, and those in channels that are left or
// archived, are read. Marking everything moves one watermark; so does marking a channel or everything in batches from the oldest on
// (flags/mark-range-as-read.ts). A mark reaches back to the message before it, so a topic read in order is one range.
//
// Unread messages are found along the index of their conversation, in the stretches without marks (search/find-unread.sql.ts).
// Moved messages keep their read state (move-read-state.sql.ts): `unpassed` are those to which a watermark of the destination does not apply.
// Marks and moves of the same conversation wait for each other. Stars and collapsed messages are rows (personal_flag); stars of messages that are not
// readable now are kept and hidden, and is_star_shown says what clients have (topic-policies/follow-access.ts).
// message.edited lists no readers: the events service asks for the flags of those it delivers to (GetPersonalFlags).
// test/read-state.property.test.ts replays random histories against this and against a model with a row for each message and user.

import {
  type ChannelReader,
  hasReceived,
  type MessagePlace,
  type ReadableChannel,
  type Reader,
} from '../access/permissions';
import type { StoredReadState } from './read-state.sql';

/** The reader's part of the input. */
export type ReadStateReader = ChannelReader & Pick<Reader, 'mutedUserIds'>;

/** The message's part of the input, besides the reader's rows. */
export interface ReadableMessage extends MessagePlace {
  senderId: number;
  isReadBySender: boolean;
  readByIds: readonly number[];
}

/** The reader's rows about a message. */
type ReadMarks = Pick<StoredReadState, 'isMarkedRead' | 'isMarkedUnread' | 'isPassed'>;

/**
 * Whether the reader has read a message. The narrowest rule decides: marks, then watermarks, then its initial state. NOTE:
 * unread.sql.ts has the same rule for sets; a property test compares both.
 */
export function isRead(message: ReadableMessage, reader: ReadStateReader, stored: ReadMarks): boolean {
  if (reader.mutedUserIds.has(message.senderId) || stored.isMarkedRead) return true;
  if (message.channelId !== null && !isCounted(reader.channels.get(message.channelId))) return true;
  if (stored.isMarkedUnread) return false;
  return stored.isPassed || beganRead(message, reader) || !keepsReceiving(message, reader);
}

function beganRead({ senderId, isReadBySender, readByIds }: ReadableMessage, { userId }: ChannelReader): boolean {
  return (senderId === userId && isReadBySender) || hadRead(readByIds, userId);
}

/** Received, and all subscriptions that it was received through still last. */
function keepsReceiving(message: ReadableMessage, reader: ChannelReader): boolean {
  const { channelId, sentChannelId, sentVersion, movedVersion } = message;
  if (sentChannelId === null) return hasReceived(message, reader);
  if (!lasts(reader, sentChannelId, sentVersion)) return false;
  return channelId === sentChannelId || lasts(reader, channelId as number, movedVersion);
}

function lasts({ channels }: ChannelReader, channelId: number, version: number | null | undefined): boolean {
  const since = receivesSince(channels.get(channelId));
  return since !== null && typeof version === 'number' && version >= since;
}

/** Messages in a channel can be unread for its subscribers, unless it is archived. */
export function isCounted(channel: ReadableChannel | undefined): boolean {
  return channel?.isSubscribed === true && !channel.isArchived;
}

/** The subscription version since which the reader has been subscribed to a channel without a break; null: not subscribed. */
export function receivesSince(channel: ReadableChannel | undefined): number | null {
  const last = channel?.isSubscribed ? channel.intervals.at(-1) : undefined;
  return last && last.toVersion === undefined ? last.fromVersion : null;
}

/** The channels in which messages can be unread. */
export function countedChannelIds({ channels }: ChannelReader): number[] {
  return [...channels.values()].filter(isCounted).map(({ channelId }) => channelId);
}

/**
 * Users for whom a message was read when stored, as one list: their ids, or EVERYBODY and the negated ids of the exceptions. A
 * list of all users would fit neither into the row nor into its index.
 */
type ReadByIds = readonly number[];

const EVERYBODY = 0;

export function readByAllBut(userIds: readonly number[]): ReadByIds {
  return [EVERYBODY, ...userIds.map((id) => -id)];
}

/** Whether it started as read for the user. NOTE: beganReadBy() says the same in SQL. */
export function hadRead(readByIds: ReadByIds, userId: number): boolean {
  return readByIds.includes(userId) || (readByIds.includes(EVERYBODY) && !readByIds.includes(-userId));
}

/** SQL over a row of `message` called `m`. */
export function beganReadBy(userId: string): string {
  return `(${userId}::bigint = any(m.read_by_ids)
    or ${EVERYBODY} = any(m.read_by_ids) and -${userId}::bigint <> all(m.read_by_ids))`;
}
