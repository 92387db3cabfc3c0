import { type Audience, type DomainEvent, messageEdited } from '@parley/shared/events';
import { flagFactsOf, type Mentioned } from './flag-facts';
import type { MessageRow } from './message.sql';

export interface Rerendering {
  renderedContent: string;
  mentioned: Mentioned;
  /** As of an edit. */
  audience: Audience;
  nowMs: number;
}

/** What is told when a message looks different, and nobody has changed it. */
export function renderedAgain(
  realmId: number,
  message: MessageRow,
  { renderedContent, mentioned, audience, nowMs }: Rerendering,
): DomainEvent {
  const { id, content, isMeMessage } = message;
  return messageEdited(realmId, {
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
    audience,
    ...flagFactsOf(message, mentioned),
  });
}
