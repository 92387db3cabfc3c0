import { BadRequestError } from '@parley/shared/errors';
import { type ChannelReader, hasReceived, mayRead, maySee } from '../access/permissions';
import { isCounted, isRead, type ReadStateReader } from '../read-state/is-read';
import type { FlagChange, MarkableMessage } from './update-flags';

/** The effect of a change of flags. */
interface FlagDecision {
  /** Messages whose flag changes. */
  changed: MarkableMessage[];
  /** Channels, ascending, whose messages stay read because the reader is not subscribed. */
  ignoredChannelIds: number[];
}

/**
 * The messages that get or lose the flag. A message on which the reader has no flags can only get one, which requires the
 * right to read it. Throws if one of them may not be read or does not exist.
 */
export function decideFlags(
  { op, flag }: FlagChange,
  messageIds: readonly number[],
  messages: readonly MarkableMessage[],
  reader: ReadStateReader,
): FlagDecision {
  const isUnreading = flag === 'read' && op === 'remove';
  const ignored = isUnreading ? messages.filter((message) => isElsewhere(message, reader)) : [];
  const meant = messages.filter((message) => !ignored.includes(message));
  const mayGain = isUnreading || (flag !== 'read' && op === 'add');
  if (mayGain) checkGains(messageIds, messages, meant, reader);
  const has = (message: MarkableMessage) => hasFlag(message, flag, reader);
  // Messages from muted users stay read.
  const mayChange = (message: MarkableMessage) => !isUnreading || !reader.mutedUserIds.has(message.senderId);
  const isChange = (message: MarkableMessage) => has(message) === (op === 'remove') && mayChange(message);
  const changed = meant.filter((message) => isChange(message) && (mayGain || isOwn(message, reader)));
  const ignoredIds = ignored.map(({ channelId }) => channelId as number);
  return { changed, ignoredChannelIds: [...new Set(ignoredIds)].sort((a, b) => a - b) };
}

/** Visible to the reader, in a channel without a subscription of theirs. */
function isElsewhere(message: MarkableMessage, reader: ReadStateReader): boolean {
  const { channelId } = message;
  return channelId !== null && !isCounted(reader.channels.get(channelId)) && maySee(message, reader);
}

function checkGains(
  messageIds: readonly number[],
  messages: readonly MarkableMessage[],
  meant: readonly MarkableMessage[],
  reader: ReadStateReader,
): void {
  const isRefused = meant.some((message) => !isOwn(message, reader) && !mayRead(message, reader));
  if (isRefused || new Set(messageIds).size > messages.length) throw new BadRequestError('Invalid message(s)');
}

/** Received, or with own flags. History given on joining is treated like other readable messages, since it may have moved. */
function isOwn(message: MarkableMessage, reader: ReadStateReader): boolean {
  return hasReceived(message, reader) || (message.isHistorical && mayRead(message, reader));
}

function hasFlag(message: MarkableMessage, flag: FlagChange['flag'], reader: ReadStateReader): boolean {
  if (flag === 'starred') return message.isStarred;
  if (flag === 'collapsed') return message.isCollapsed;
  return isRead(message, reader, message);
}

/** Throws unless the reader may read the channel's current messages, and it is active. */
export function checkChannel({ channels }: ChannelReader, channelId: number): void {
  const channel = channels.get(channelId);
  if (!channel?.hasContentAccess || channel.isArchived) throw new BadRequestError('Invalid channel ID');
}
