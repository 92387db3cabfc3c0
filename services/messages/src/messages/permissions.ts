import { BadRequestError, StreamDoesNotExistError } from '@parley/shared/errors';
import type {
  Channel,
  ChannelReadFacts,
  Group,
  Organization,
  SendFacts,
  User,
  VersionInterval,
} from '@parley/shared/proto';
import { codePointLength, EMPTY_TOPIC_DISPLAY_NAME, findForbiddenCharacter, LIMITS } from '@parley/shared/values';
import type { ChannelDestination, DirectDestination } from './destination';

/** Throws unless everybody a direct message is addressed to exists and is active. */
export function checkRecipients(destination: DirectDestination, recipients: readonly User[]): void {
  const unknown = findUnknown(destination, recipients);
  if (typeof unknown === 'number') throw new BadRequestError(`Invalid user ID ${unknown}`);
  if (unknown !== undefined) throw new BadRequestError(`Invalid email '${unknown}'`);
  const inactive = recipients.find(({ isActive }) => !isActive);
  if (inactive) throw new BadRequestError(`'${inactive.email}' is no longer using Parley.`);
}

/** The first id or e-mail address that is nobody's. */
export function findUnknown(
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

/** The channel, when it exists and the sender may post in it; throws otherwise. */
export function accessChannel(destination: ChannelDestination, facts: SendFacts['channel']): Channel {
  if (destination.channelName !== undefined) checkChannelName(destination.channelName);
  if (!facts?.channel) throw channelDoesNotExist(destination);
  if (!facts.isInSendGroup) throw new BadRequestError('You do not have permission to post in this channel.');
  if (facts.channel.isArchived || !facts.hasContentAccess) {
    // The answer does not tell the name of a channel to somebody who only knows its id.
    const name = facts.hasContentAccess ? facts.channel.name : (destination.channelName ?? destination.channelId);
    throw new BadRequestError(`Not authorized to send to channel '${name}'`);
  }
  return facts.channel;
}

function checkChannelName(name: string): void {
  const limit = LIMITS.channelNameLength;
  if (name === '') throw new BadRequestError("Channel name can't be empty.");
  if (codePointLength(name) > limit) throw new BadRequestError(`Channel name too long (limit: ${limit} characters).`);
  const position = findForbiddenCharacter(name);
  if (position !== null) throw new BadRequestError(`Invalid character in channel name, at position ${position}.`);
}

function channelDoesNotExist({ channelId, channelName }: ChannelDestination): Error {
  return channelName === undefined
    ? new StreamDoesNotExistError({ stream_id: channelId as number })
    : new StreamDoesNotExistError({ stream: escapeHtml(channelName) });
}

/** Existing clients show the requested name as HTML. */
function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

/** Throws when the channel, or else the organization, does not allow (or only allows) the empty topic. */
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

/** Throws when one of the groups that were mentioned, not silently, may not be by the sender. */
export function checkGroupMentions(mentionedGroupIds: readonly number[], groups: readonly Group[]): void {
  const refused = groups.find(({ id, mayBeMentioned }) => !mayBeMentioned && mentionedGroupIds.includes(id));
  if (refused) throw new BadRequestError(`You are not allowed to mention user group '${refused.name}'.`);
}

/** Somebody who reads: what realm says of them and of every channel they know or knew. */
export interface Reader {
  userId: number;
  realm: Organization;
  channels: ReadonlyMap<number, ChannelReadFacts>;
}

/** What access to a message depends on. */
export interface MessagePlace {
  channelId: number | null;
  sentChannelId: number | null;
  sentVersion: number | null;
  participantIds: number[] | null;
}

/** Whether a message was delivered to the reader: by subscription at its sending, or as a participant. */
export function hasReceived({ sentChannelId, sentVersion, participantIds }: MessagePlace, reader: Reader): boolean {
  if (sentChannelId === null || sentVersion === null) return participantIds?.includes(reader.userId) ?? false;
  const intervals = reader.channels.get(sentChannelId)?.intervals ?? [];
  return intervals.some((interval) => isWithin(sentVersion, interval));
}

function isWithin(version: number, { fromVersion, toVersion }: VersionInterval): boolean {
  return fromVersion <= version && (toVersion === undefined || version < toVersion);
}

/** Whether the reader may have a message that they ask for by its id. */
export function mayRead(message: MessagePlace, reader: Reader): boolean {
  if (message.channelId === null) return hasReceived(message, reader);
  const channel = reader.channels.get(message.channelId);
  if (!channel) return false;
  return channel.mayReadHistory || (channel.hasContentAccess && hasReceived(message, reader));
}
