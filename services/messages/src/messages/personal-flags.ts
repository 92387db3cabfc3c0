import { BadRequestError } from '@parley/shared/errors';
import { type DomainEvent, flagsChangedFor } from '@parley/shared/events';
import type { GetPersonalFlagsRequest, GetPersonalFlagsResponse } from '@parley/shared/proto';
import { alertFinder, groupBy } from '@parley/shared/values';
import { hasReceived, isAddressed, type Reader } from '../access/permissions';
import type { Context } from '../context';
import { isRead } from '../read-state/is-read';
import { loadFlagsOfUsers, type StoredFlags } from '../read-state/personal-flags.sql';
import type { MessageRow } from './message.sql';
import type { ShownState } from './shown-message.sql';

const MAX_QUESTIONS = 1_000;

/** Users' flags on messages. Called when a message's event is delivered, for its receivers. */
export async function getPersonalFlags(
  ctx: Context,
  { questions }: GetPersonalFlagsRequest,
): Promise<GetPersonalFlagsResponse> {
  if (questions.length > MAX_QUESTIONS) {
    throw new BadRequestError(`Too many questions in one call (limit: ${MAX_QUESTIONS})`);
  }
  const stored = await loadFlagsOfUsers(ctx.db, questions);
  return {
    flags: stored.map((flags) => ({
      isRead: hasRead(flags),
      isStarred: flags.isStarred,
      isCollapsed: flags.isCollapsed,
      ...(flags.isMarkedUnread && !flags.isGone && { isMarkedUnread: true }),
      ...(flags.isCalled && { isCalled: true }),
    })),
  };
}

/** Like isRead(), but without mutes and subscriptions, which events pods know. */
function hasRead({ isGone, isMarkedRead, isMarkedUnread, isPassed, hasBegunRead }: StoredFlags): boolean {
  if (isGone || isMarkedRead) return true;
  return !isMarkedUnread && (isPassed || hasBegunRead);
}

/** The reader's flags for a message. A message that was not received counts as read unless marked otherwise. */
export function flagsOf(message: MessageRow, reader: Reader, stored: ShownState): string[] {
  const isForReader = stored.isCalled || isAddressed(message, reader);
  const { mentionsReader, mentionsChannel, mentionsReaderInTopic: mentionsTopic } = message;
  const isAlerted = () => alertFinder(message.content, message.sentAtMs)(reader.alertWords);
  const flags = {
    read: isRead(message, reader, stored),
    starred: stored.isStarred,
    collapsed: stored.isCollapsed,
    mentioned: isForReader && mentionsReader,
    stream_wildcard_mentioned: isForReader && mentionsChannel,
    topic_wildcard_mentioned: isForReader && mentionsTopic,
    // Deprecated union of the two, still read by clients.
    wildcard_mentioned: isForReader && (mentionsChannel || mentionsTopic),
    has_alert_word: isForReader && reader.alertWords.length > 0 && isAlerted(),
    historical: !stored.isCalled && !stored.isGiven && !hasReceived(message, reader),
  };
  return (Object.keys(flags) as (keyof typeof flags)[]).filter((flag) => flags[flag]);
}

export interface Star {
  userId: number;
  messageId: number;
}

/** Events of stars deleted with their messages, for users who get no other event about these. */
export function unstarred(realmId: number, stars: readonly Star[]): DomainEvent[] {
  return starsChanged(realmId, 'remove', stars);
}

/** Stars that appear or vanish: users with the same messages share an event. */
export function starsChanged(realmId: number, op: 'add' | 'remove', stars: readonly Star[]): DomainEvent[] {
  const own = [...groupBy(stars, ({ userId }) => userId)].map(([userId, ofUser]) => ({
    userId,
    messageIds: ofUser.map(({ messageId }) => messageId).sort((a, b) => a - b),
  }));
  return [...groupBy(own, ({ messageIds }) => messageIds.join()).values()].map((alike) => {
    const userIds = alike.map(({ userId }) => userId);
    const { messageIds } = alike[0] as (typeof own)[number];
    return flagsChangedFor(realmId, { to: 'users', userIds }, { op, flag: 'starred', messageIds });
  });
}
