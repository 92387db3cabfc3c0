import { BadRequestError, StreamDoesNotExistError } from '@parley/shared/errors';
import type {
  AlertWordSince,
  Channel,
  ChannelReadFacts,
  Group,
  Organization,
  SendFacts,
  User,
  VersionInterval,
} from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import {
  codePointLength,
  EMPTY_TOPIC_DISPLAY_NAME,
  escapeHtml,
  findForbiddenCharacter,
  LIMITS,
} from '@parley/shared/values';
import type { ChannelDestination, DirectDestination } from './destination';

/** Throws unless all recipients of a direct message exist and are active. */
export function checkRecipients(destination: DirectDestination, recipients: readonly User[]): void {
  const unknown = findUnknown(destination, recipients);
  if (typeof unknown === 'number') throw new BadRequestError(`Invalid user ID ${unknown}`);
  if (unknown !== undefined) throw new BadRequestError(`Invalid email '${unknown}'`);
  const inactive = recipients.find(({ isActive }) => !isActive);
  if (inactive) throw new BadRequestError(REFUSAL.messages.recipientGone(inactive.email));
}

/** The first id or e-mail address without a user. */
function findUnknown(
  { recipientIds, recipientEmails }: DirectDestination,
  users: readonly User[],
): number | string | undefined {
  const ids = new Set(users.map(({ id }) => id));
  const emails = new Set(users.flatMap(({ email, deliveryEmail }) => [lower(email), lower(deliveryEmail)]));
  return recipientIds.find((id) => !ids.has(id)) ?? recipientEmails.find((email) => !emails.has(lower(email)));
}

function lower(email: string): string {
  return email.trim().toLowerCase();
}

/** Throws if no channel is named and the sender has no default channel that it may know of, or if there is no topic. */
export function checkPlaceGiven(
  { channelId, channelName, isTopicMissing }: ChannelDestination,
  facts: SendFacts['channel'],
): void {
  const hasDefault = facts?.channel && !facts.isHidden;
  const isChannelGiven = channelId !== undefined || channelName !== undefined || hasDefault;
  if (!isChannelGiven) throw new BadRequestError('Missing channel');
  if (isTopicMissing) throw new BadRequestError('Missing topic');
}

/** The channel, if the sender may post in it or is a bot that answers where it was called; throws otherwise. */
export function accessChannel(destination: ChannelDestination, facts: SendFacts['channel'], isAnswer = false): Channel {
  if (destination.channelName !== undefined) checkChannelName(destination.channelName);
  if (!facts?.channel || (facts.isHidden && !isAnswer)) throw channelDoesNotExist(destination);
  if (!isAnswer && !facts.isInSendGroup) throw new BadRequestError(REFUSAL.channels.mayNotPostHere);
  if (facts.channel.isArchived || !(isAnswer || facts.hasContentAccess)) {
    // The answer does not reveal a channel's name to a sender who only knows its id. A bot knows the name of its default channel.
    const given = destination.channelName ?? destination.channelId ?? facts.channel.name;
    const name = facts.hasContentAccess ? facts.channel.name : given;
    throw new BadRequestError(REFUSAL.messages.mayNotPost(String(name)));
  }
  return facts.channel;
}

/** Whether the sender may read the channel. A bot may post where its owner is subscribed. */
export function isReadBySender(facts: NonNullable<SendFacts['channel']>): boolean {
  return facts.hasContentAccess && !facts.isReachedByOwnerOnly;
}

function checkChannelName(name: string): void {
  const limit = LIMITS.channelNameLength;
  if (name === '') throw new BadRequestError(REFUSAL.channels.nameEmpty);
  if (codePointLength(name) > limit) throw new BadRequestError(REFUSAL.channels.nameTooLong(String(limit)));
  const position = findForbiddenCharacter(name);
  if (position !== null) throw new BadRequestError(REFUSAL.channels.nameCharacter(String(position)));
}

function channelDoesNotExist({ channelId, channelName }: ChannelDestination): Error {
  return channelName === undefined
    ? new StreamDoesNotExistError({ stream_id: channelId as number })
    : new StreamDoesNotExistError({ stream: escapeHtml(channelName) });
}

/** Throws if the channel, or else the organization, does not allow the empty topic, or allows nothing else. */
export function checkTopicsPolicy(topic: string, channelPolicy: string, realmPolicy: string): void {
  const policy = channelPolicy === 'inherit' ? realmPolicy : channelPolicy;
  if (policy === 'disable_empty_topic' && topic === '') {
    throw new BadRequestError(
      `Sending messages to the ${EMPTY_TOPIC_DISPLAY_NAME} topic is not allowed in this channel.`,
    );
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw new BadRequestError(`Only the ${EMPTY_TOPIC_DISPLAY_NAME} topic is allowed in this channel.`);
  }
}

/** Throws if the sender may not mention one of the groups (silent mentions aside). */
export function checkGroupMentions(mentionedGroupIds: readonly number[], groups: readonly Group[]): void {
  const refused = groups.find(({ id, mayBeMentioned }) => !mayBeMentioned && mentionedGroupIds.includes(id));
  if (refused) throw new BadRequestError(REFUSAL.messages.mayNotMention(refused.name));
}

/** A reader: realm's facts about them and about all channels of their present and former subscriptions. */
export interface Reader {
  userId: number;
  realm: Organization;
  channels: ReadonlyMap<number, ReadableChannel>;
  /** Messages of these users count as read. */
  mutedUserIds: ReadonlySet<number>;
  alertWords: readonly AlertWordSince[];
  /** May not read channels without ever having been subscribed, not even public ones. */
  isGuest?: boolean;
  isDeactivated?: boolean;
  /** Version of the organization's accounts, see UserCards. */
  usersVersion?: string | undefined;
}

/** The subscription version may be older than the request, see KnownReadFacts. */
export type ReadableChannel = Omit<ChannelReadFacts, 'subscriptionVersion'>;

/** A reader whose channels have their newest subscription versions. */
export interface CurrentReader extends Reader {
  channels: ReadonlyMap<number, ChannelReadFacts>;
}

/** Input of the rules on access to channel messages. */
export type ChannelReader = Pick<Reader, 'userId' | 'channels'>;

/** Input of the queries for unread messages. */
export interface UnreadReader extends ChannelReader, Pick<Reader, 'mutedUserIds' | 'isDeactivated'> {
  realm: Pick<Organization, 'id'>;
}

/** Input of the rules on access to a message. */
export interface MessagePlace {
  channelId: number | null;
  sentChannelId: number | null;
  sentVersion: number | null;
  /** The subscription version of its channel at the move there; absent if it was never moved. */
  movedVersion: number | null;
  participantIds: number[] | null;
}

/** Received messages of a channel stay readable, unless the channel is private and the reader has lost access to it. */
export function keepsReceived(channel: ReadableChannel | undefined): boolean {
  return channel !== undefined && (channel.isPublic || channel.hasContentAccess);
}

/**
 * Whether the reader received the message, as a subscriber at its sending or as a participant, and may still read its channel and
 * the one it was moved to. NOTE: scope.sql.ts has the same rule for sets.
 */
export function hasReceived(message: MessagePlace, reader: ChannelReader): boolean {
  const { channelId, sentChannelId, sentVersion, participantIds } = message;
  if (channelId === null || sentChannelId === null || sentVersion === null) {
    return participantIds?.includes(reader.userId) ?? false;
  }
  if (!wasSubscribed(reader, sentChannelId, sentVersion)) return false;
  return channelId === sentChannelId ? keepsReceived(reader.channels.get(channelId)) : hasKept(message, reader);
}

/**
 * Whether the message's mentions and alert words count for the reader: they have received it in its current channel. NOTE: keep
 * the SQL condition isAddressed() equal.
 */
export function isAddressed(message: MessagePlace, reader: ChannelReader): boolean {
  const isWhereSent = message.channelId === message.sentChannelId;
  return hasReceived(message, reader) && (isWhereSent || hasGained(message, reader));
}

/** Subscribing later to a channel with protected history does not bring back messages. */
function hasKept(message: MessagePlace, reader: ChannelReader): boolean {
  const channel = reader.channels.get(message.channelId as number);
  return channel?.mayReadHistory === true || (channel?.hasContentAccess === true && hasGained(message, reader));
}

function wasSubscribed({ channels }: ChannelReader, channelId: number, version: number): boolean {
  const intervals = channels.get(channelId)?.intervals ?? [];
  return intervals.some((interval) => isWithin(version, interval));
}

function isWithin(version: number, { fromVersion, toVersion }: VersionInterval): boolean {
  return fromVersion <= version && (toVersion === undefined || version < toVersion);
}

/** Whether the reader may get a message by its id. */
export function mayRead(message: MessagePlace, reader: ChannelReader): boolean {
  if (message.channelId === null) return hasReceived(message, reader);
  const channel = reader.channels.get(message.channelId);
  if (!channel) return false;
  return (
    channel.mayReadHistory || (channel.hasContentAccess && (hasReceived(message, reader) || hasGained(message, reader)))
  );
}

/** Whether the reader was subscribed to the destination channel when the message was moved. */
function hasGained({ channelId, movedVersion }: MessagePlace, reader: ChannelReader): boolean {
  return channelId !== null && typeof movedVersion === 'number' && wasSubscribed(reader, channelId, movedVersion);
}

/** A message, and the reader's relation to it besides subscriptions. */
export interface OwnPlace extends MessagePlace {
  /** The reader has flags on it and did not receive it. */
  isHistorical: boolean;
  /** Part of the recent history that the reader got on joining. */
  isGiven: boolean;
}

/**
 * Whether a message is found by the reader's narrows: received messages, and of channels those with own flags, and the recent history
 * given on joining. NOTE: scope.sql.ts has the same rule for sets.
 */
export function isAmongReceived(message: OwnPlace, reader: ChannelReader): boolean {
  if (hasReceived(message, reader)) return true;
  const channel = reader.channels.get(message.channelId as number);
  if (channel?.mayReadHistory) return message.isHistorical || message.isGiven;
  return channel?.hasContentAccess === true && hasGained(message, reader);
}

/** Whether a narrow may return the message: received messages stay readable, also of a public channel that the reader left. */
export function maySee(message: MessagePlace, reader: ChannelReader): boolean {
  return hasReceived(message, reader) || mayRead(message, reader);
}
