import { BadRequestError } from '@parley/shared/errors';
import type { SendFacts, SendMessageRequest, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { findForbiddenCharacter, topicFromInput } from '@parley/shared/values';

/**
 * SPEC-GAP: the size of a group is not documented. The participants are the conversation's unique key, which must fit into an
 * index entry.
 */
export const MAX_RECIPIENTS = 300;

/** Realm's facts about a send. The organization and the sender are always present, which proto3 cannot express. */
export type RequiredSendFacts = SendFacts & { realm: NonNullable<SendFacts['realm']>; sender: User };

/** Without an id and a name: the bot's default channel. */
export interface ChannelDestination {
  channelId: number | undefined;
  channelName: string | undefined;
  /** The requested topic, see topicFromInput(). */
  topic: string;
  /** Set when no topic was sent: an error only once the channel is known. */
  isTopicMissing?: true;
}

export interface DirectDestination {
  recipientIds: number[];
  recipientEmails: string[];
}

export type Destination = ({ kind: 'channel' } & ChannelDestination) | ({ kind: 'direct' } & DirectDestination);

/** The destination as far as the request determines it without realm's facts. */
export function destinationOf(request: SendMessageRequest): Destination {
  return request.isDirect ? directDestination(request) : channelDestination(request);
}

function directDestination({ recipientIds, recipientEmails }: SendMessageRequest): Destination {
  const count = recipientIds.length + recipientEmails.length;
  if (count === 0) throw new BadRequestError('Message must have recipients');
  if (count > MAX_RECIPIENTS) throw new BadRequestError(`Too many recipients (maximum ${MAX_RECIPIENTS}).`);
  return { kind: 'direct', recipientIds, recipientEmails };
}

function channelDestination({ channelId, channelName, topic }: SendMessageRequest): Destination {
  const channel = { channelId, channelName: channelName?.trim() };
  if (topic === undefined) {
    if (channelId !== undefined || channelName !== undefined) throw new BadRequestError('Missing topic');
    return { kind: 'channel', ...channel, topic: '', isTopicMissing: true };
  }
  const trimmed = topic.trim();
  const position = findForbiddenCharacter(trimmed);
  if (position !== null) throw new BadRequestError(REFUSAL.channels.topicCharacter(String(position)));
  return { kind: 'channel', ...channel, topic: topicFromInput(trimmed) };
}

/** The participants of a direct conversation, each once, by id. */
export function participantsOf(recipients: readonly User[], sender: User): User[] {
  const byId = new Map([...recipients, sender].map((user) => [user.id, user]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
