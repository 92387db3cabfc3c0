import { hasReceived, type MessagePlace, type Reader } from '../messages/permissions';
import { hadRead } from './began-read';
import type { StoredReadState } from './read-state.sql';
import { isCounted, receivesSince } from './reading';

/** What the read state of a message depends on beside what is stored of the reader. */
export interface ReadableMessage extends MessagePlace {
  senderId: number;
  isReadBySender: boolean;
  readByIds: readonly number[];
}

/**
 * Whether the reader has read a message. The narrowest rule decides: what they marked, then what the watermarks passed, then how it
 * began. NOTE: unread.sql.ts says the same of sets; a property test holds the two to one answer.
 */
export function isRead(message: ReadableMessage, reader: Reader, stored: StoredReadState): boolean {
  if (reader.mutedUserIds.has(message.senderId) || stored.isMarkedRead) return true;
  if (message.channelId !== null && !isCounted(reader.channels.get(message.channelId))) return true;
  if (stored.isMarkedUnread) return false;
  return stored.isPassed || beganRead(message, reader) || !keepsReceiving(message, reader);
}

function beganRead({ senderId, isReadBySender, readByIds }: ReadableMessage, { userId }: Reader): boolean {
  return (senderId === userId && isReadBySender) || hadRead(readByIds, userId);
}

/** Received, and every subscription that it came through lasts. */
function keepsReceiving(message: ReadableMessage, reader: Reader): boolean {
  const { channelId, sentChannelId, sentVersion, movedVersion } = message;
  if (sentChannelId === null) return hasReceived(message, reader);
  if (!lasts(reader, sentChannelId, sentVersion)) return false;
  return channelId === sentChannelId || lasts(reader, channelId as number, movedVersion);
}

function lasts({ channels }: Reader, channelId: number, version: number | null | undefined): boolean {
  const since = receivesSince(channels.get(channelId));
  return since !== null && typeof version === 'number' && version >= since;
}
