import { ChangedMeanwhile, type Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { Audience } from '@parley/shared/events';
import type { ChannelReadFacts, Organization, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { type UserSettings, userSettingsOf } from '@parley/shared/values';
import { channelsOf, readerOf } from '../access/load-reader';
import { type ChannelReader, mayRead, type Reader } from '../access/permissions';
import { type MaybePrivate, type Outsiders, withOutsiders } from '../channels/outsiders';
import type { Context } from '../context';
import { audienceInChannel } from './edit-audiences';
import { loadMessages, lockMessage, type MessageRow, type MessageRowWithHolders } from './message.sql';

/** The user who adds something to a message. */
export interface Actor extends ChannelReader {
  realm: Pick<Organization, 'id'>;
}

/** A message to which a user wants to add something. */
export interface AccessedMessage<
  Row extends MessageRowWithHolders = MessageRowWithHolders,
  ReaderFacts extends Actor = Actor,
> {
  message: Row;
  reader: ReaderFacts;
  user: Pick<User, 'id' | 'email' | 'fullName' | 'isBot'>;
  settings: Readonly<UserSettings>;
  /** See withItsOutsiders(). */
  outsiders?: Outsiders;
}

/** The message, if the caller may read it and its channel is active; otherwise the answer does not reveal whether it exists. */
export async function accessMessage(
  ctx: Context,
  caller: Caller,
  messageId: number,
): Promise<AccessedMessage<MessageRowWithHolders, Reader>> {
  const [message] = await loadMessages(ctx.db, caller.realmId, [messageId], caller.userId);
  if (!message) throw invalidMessage();
  const facts = await ctx.services.realm.getReadFacts(caller, { channels: channelsOf([message]) });
  const reader = readerOf(caller, facts);
  checkAddable(message, reader);
  return { message, reader, user: facts.reader as User, settings: userSettingsOf(facts.readerSettings) };
}

/** Throws unless the reader may read the message and its channel is active; undefined: there is no message. */
export function checkAddable(message: MessageRow | undefined, reader: ChannelReader): asserts message is MessageRow {
  if (!message || !mayRead(message, reader) || isInArchivedChannel(message, reader)) throw invalidMessage();
}

/** Adds the outsiders of its private channel, so that they get events, too. */
export async function withItsOutsiders<Accessed extends AccessedMessage>(
  ctx: Context,
  accessed: Accessed,
): Promise<Accessed> {
  const { message, reader } = accessed;
  const channel = message.channelId === null ? undefined : reader.channels.get(message.channelId);
  if (channel === undefined) return accessed;
  const kind: MaybePrivate = { id: channel.channelId, isPrivate: !channel.isPublic };
  const [audienceChannel] = await withOutsiders(ctx, reader.realm.id, [kind], message.holderIds);
  return { ...accessed, ...(audienceChannel?.outsiders && { outsiders: audienceChannel.outsiders }) };
}

function isInArchivedChannel({ channelId }: MessageRow, { channels }: ChannelReader): boolean {
  return channelId !== null && channels.get(channelId)?.isArchived === true;
}

/** Locks the message until the transaction ends; throws ChangedMeanwhile if it was moved or deleted since access was decided. */
export async function lockAccessedMessage(tx: Transaction, { message, reader }: AccessedMessage): Promise<void> {
  if (!(await lockMessage(tx, reader.realm.id, message))) throw new ChangedMeanwhile();
}

export function invalidMessage(): BadRequestError {
  return new BadRequestError('Invalid message(s)');
}

/** The audience of events about a message. Wide queues get new messages only. */
export function audienceOf({ message, reader, outsiders }: AccessedMessage): Exclude<Audience, { to: 'realm' }> {
  const { channelId, sentChannelId, sentVersion, movedVersion, participantIds } = message;
  if (channelId === null || sentChannelId === null || sentVersion === null) {
    return { to: 'users', userIds: participantIds ?? [] };
  }
  const { subscriptionVersion, isPublic, isWebPublic, mayReadHistory } = reader.channels.get(
    channelId,
  ) as ChannelReadFacts;
  // A reader without access to the history can read received messages.
  const channel = {
    id: channelId,
    subscriptionVersion,
    isPrivate: !isPublic,
    isWebPublic,
    isHistoryPublic: mayReadHistory,
    ...(outsiders && { outsiders }),
  };
  const delivered = { channelId, sentChannelId, sentVersion, movedVersion };
  return { ...audienceInChannel(channel, [delivered], [reader.userId], message.holderIds), isPublic: false };
}
