import { type Audience, type DomainEvent, messageEdited } from '@parley/shared/events';
import type { FlagHolders } from '../read-state/flag-holders.sql';
import type { MessageRow } from './message.sql';

/** Whom a message mentions, and who has set what on it: as loaded with it, the rest is in its row. */
interface Flagged extends FlagHolders {
  mentionedIds: readonly number[];
  topicParticipantIds: readonly number[];
}

/** What those who have a message are told when it looks different, and nobody has changed it. */
export function renderedAgain(
  realmId: number,
  message: MessageRow,
  renderedContent: string,
  { mentionedIds, topicParticipantIds, hasReadIds, starredByIds, collapsedByIds }: Flagged,
  nowMs: number,
): DomainEvent[] {
  const { id, senderId, sentAtMs, content, isMeMessage } = message;
  const event = messageEdited(realmId, {
    editorId: null,
    editedAtMs: nowMs,
    messageId: id,
    messageIds: [id],
    content: {
      prevContent: content,
      prevRenderedContent: message.renderedContent,
      content,
      renderedContent,
      isMeMessage,
    },
    audience: audienceOf(message),
    readByIds: hasReadIds,
    starredByIds,
    collapsedByIds,
    mentionedIds,
    mentionsChannel: message.mentionsChannel,
    mentionsTopic: message.mentionsTopic,
    senderId,
    text: content,
    sentAtMs,
    topicParticipantIds,
  });
  return [event];
}

/** Whoever was sent the message; where it was moved since, whoever was in that channel by then: who was not has it no more. */
function audienceOf({ channelId, sentVersion, movedVersion, participantIds }: MessageRow): Audience {
  const version = movedVersion ?? sentVersion;
  if (channelId === null || version === null) return { to: 'users', userIds: participantIds ?? [] };
  return { to: 'subscribers', channelId, version, isPublic: false };
}
