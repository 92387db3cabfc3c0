import { type Audience, type DomainEvent, messageEdited } from '@parley/shared/events';
import { flagFactsOf, type Mentioned } from './flag-facts';
import type { MessageRow } from './message.sql';

/** What those who have a message are told when it looks different, and nobody has changed it. */
export function renderedAgain(
  realmId: number,
  message: MessageRow,
  renderedContent: string,
  mentioned: Mentioned,
  nowMs: number,
): DomainEvent[] {
  const { id, content, isMeMessage } = message;
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
    ...flagFactsOf(message, mentioned),
  });
  return [event];
}

/** Whoever was sent the message; where it was moved since, whoever was in that channel by then: who was not has it no more. */
function audienceOf({ channelId, sentVersion, movedVersion, participantIds }: MessageRow): Audience {
  const version = movedVersion ?? sentVersion;
  if (channelId === null || version === null) return { to: 'users', userIds: participantIds ?? [] };
  return { to: 'subscribers', channelId, version, isPublic: false };
}
