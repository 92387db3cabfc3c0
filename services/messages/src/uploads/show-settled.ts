import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { settlePreviews } from '../markdown';
import { loadMessages, type MessageRow } from '../messages/message.sql';
import { renderedAgain } from '../messages/rendered-again';
import type { UploadRow } from './attachment.sql';
import { toMarkdownUpload } from './preview-facts';
import { listSettledBehind, lockWaiting, setRendered, type WaitingMessage } from './thumbnails.sql';

/** Puts a picture whose thumbnails are settled where messages hold its place. Answers what is to be announced. */
export async function showSettled(
  tx: Transaction,
  realmId: number,
  upload: UploadRow,
  nowMs: number,
): Promise<DomainEvent[]> {
  const waiting = new Map((await lockWaiting(tx, realmId, upload.id)).map((message) => [message.messageId, message]));
  if (waiting.size === 0) return [];
  const picture = toMarkdownUpload(upload);
  const shown = (await loadMessages(tx, realmId, [...waiting.keys()], upload.ownerId))
    .map((message) => ({ message, renderedContent: settlePreviews(message.renderedContent, picture) }))
    // Some wait for other pictures alone.
    .filter(({ message, renderedContent }) => renderedContent !== message.renderedContent);
  const contentOf = ({ message, renderedContent }: { message: MessageRow; renderedContent: string }) =>
    [message.id, renderedContent] as const;
  await setRendered(tx, realmId, new Map(shown.map(contentOf)));
  return shown.flatMap(({ message, renderedContent }) =>
    renderedAgain(realmId, message, renderedContent, waiting.get(message.id) as WaitingMessage, nowMs),
  );
}

/**
 * The same for one message that was just stored: between its rendering and now, thumbnails may have been settled that were then
 * still being made, and whoever settled them did not see it. The files are locked, or the message is, so that nobody does so later unseen.
 */
export async function showSettledBehind(
  tx: Transaction,
  realmId: number,
  messageId: number,
  attachmentIds: readonly number[],
  nowMs: number,
): Promise<DomainEvent[]> {
  if (attachmentIds.length === 0) return [];
  const events: DomainEvent[] = [];
  for (const upload of await listSettledBehind(tx, realmId, messageId, attachmentIds))
    events.push(...(await showSettled(tx, realmId, upload, nowMs)));
  return events;
}
