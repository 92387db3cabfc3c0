import {
  BadRequestError,
  StreamWildcardMentionNotAllowedError,
  TopicWildcardMentionNotAllowedError,
  UserDeactivatedError,
} from '@parley/shared/errors';
import type { DirectSendFacts, SendFacts, SendMessageRequest, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';

/** Throws if a job's send is too late, or if its author was deactivated. */
export function checkJob(
  { notAfterMs = Number.POSITIVE_INFINITY }: SendMessageRequest,
  { sender, realm }: Pick<SendFacts, 'sender' | 'realm'>,
  nowMs: number,
): void {
  if (!sender?.isActive || realm?.isDeactivated) throw new UserDeactivatedError();
  if (nowMs > notAfterMs) throw new BadRequestError('Message could not be sent at the scheduled time.');
}

/** Any user may mention this number of users at once. */
export const MANY = 15;

/** Input of the permission to write to direct recipients. */
interface DirectSend {
  sender: User;
  recipients: readonly User[];
  rights: DirectSendFacts;
  /** The participants have written to each other before. */
  hasEarlier: boolean;
}

/** Whether the permission depends on earlier messages of the conversation. */
export function dependsOnEarlier({ sender, recipients, rights }: Omit<DirectSend, 'hasEarlier'>): boolean {
  return !rights.mayInitiate && !isFreeForAll(sender, recipients);
}

/** Throws unless the sender may write to these recipients. */
export function checkDirectPermission({ sender, recipients, rights, hasEarlier }: DirectSend): void {
  if (!rights.areRecipientsKnown) {
    throw new BadRequestError(REFUSAL.messages.recipientsHidden);
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
    throw new BadRequestError(REFUSAL.messages.mayNotBegin);
  }
}

/** Bots may write to everybody; everybody may write to bots and to themselves. */
function isFreeForAll(sender: User, recipients: readonly User[]): boolean {
  return sender.isBot || recipients.every(({ id, isBot }) => isBot || id === sender.id);
}

/** Throws if the topic would be new and the sender may not start topics. */
export function checkNewTopic(mayCreateTopics: boolean, hasEarlier: boolean): void {
  if (mayCreateTopics || hasEarlier) return;
  throw new BadRequestError(REFUSAL.messages.mayNotCreateTopics);
}

/** The wildcard mentions of a channel message, and the users that they mention. */
interface Wildcards {
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  mayMentionMany: boolean;
  subscriberCount: number;
  /** Of the topic, including the sender; at least MANY + 1 if there are more than MANY. */
  participantCount: number;
}

/** Throws if a wildcard mentions too many users for a sender without that right. */
export function checkWildcards(wildcards: Wildcards): void {
  if (wildcards.mayMentionMany) return;
  if (wildcards.mentionsChannel && wildcards.subscriberCount > MANY) throw new StreamWildcardMentionNotAllowedError();
  if (wildcards.mentionsTopic && wildcards.participantCount > MANY) throw new TopicWildcardMentionNotAllowedError();
}
