import {
  BadRequestError,
  StreamWildcardMentionNotAllowedError,
  TopicWildcardMentionNotAllowedError,
  UserDeactivatedError,
} from '@parley/shared/errors';
import type { DirectSendFacts, SendFacts, SendMessageRequest, User } from '@parley/shared/proto';

/** Throws when what a job sends comes too late, or when its author is not there any more. */
export function checkJob(
  { notAfterMs = Number.POSITIVE_INFINITY }: SendMessageRequest,
  { sender, realm }: Pick<SendFacts, 'sender' | 'realm'>,
  nowMs: number,
): void {
  if (!sender?.isActive || realm?.isDeactivated) throw new UserDeactivatedError();
  if (nowMs > notAfterMs) throw new BadRequestError('Message could not be sent at the scheduled time.');
}

/** Anybody may mention so many users at once. */
export const MANY = 15;

/** Input of the permission to write to these recipients. */
interface DirectSend {
  sender: User;
  recipients: readonly User[];
  rights: DirectSendFacts;
  /** The participants have written to one another before. */
  hasEarlier: boolean;
}

/** Whether only the earlier messages of the conversation can tell if the sender may write. */
export function dependsOnEarlier({ sender, recipients, rights }: Omit<DirectSend, 'hasEarlier'>): boolean {
  return !rights.mayInitiate && !isFreeForAll(sender, recipients);
}

/** Throws unless the sender may write to these recipients. */
export function checkDirectPermission({ sender, recipients, rights, hasEarlier }: DirectSend): void {
  if (!rights.areRecipientsKnown) {
    throw new BadRequestError('You do not have permission to access some of the recipients.');
  }
  if (isFreeForAll(sender, recipients)) return;
  if (!rights.isAuthorized) {
    throw new BadRequestError(
      rights.isDisabled
        ? 'Direct messages are disabled in this organization.'
        : 'This conversation does not include any users who can authorize it.',
    );
  }
  if (!rights.mayInitiate && !hasEarlier) {
    throw new BadRequestError('You do not have permission to initiate direct message conversations.');
  }
}

/** Bots may write to everybody, and everybody to bots and to themselves. */
function isFreeForAll(sender: User, recipients: readonly User[]): boolean {
  return sender.isBot || recipients.every(({ id, isBot }) => isBot || id === sender.id);
}

/** Throws when the topic would be a new one, which the sender may not begin. */
export function checkNewTopic(mayCreateTopics: boolean, hasEarlier: boolean): void {
  if (mayCreateTopics || hasEarlier) return;
  throw new BadRequestError('You do not have permission to create new topics in this channel.');
}

/** The wildcard mentions of a channel message, and the users that they mention. */
interface Wildcards {
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  mayMentionMany: boolean;
  subscriberCount: number;
  /** Of the topic, the sender included; at least MANY + 1 when there are more than MANY. */
  participantCount: number;
}

/** Throws when a sender without the right for wildcard mentions mentions too many. */
export function checkWildcards(wildcards: Wildcards): void {
  if (wildcards.mayMentionMany) return;
  if (wildcards.mentionsChannel && wildcards.subscriberCount > MANY) throw new StreamWildcardMentionNotAllowedError();
  if (wildcards.mentionsTopic && wildcards.participantCount > MANY) throw new TopicWildcardMentionNotAllowedError();
}
