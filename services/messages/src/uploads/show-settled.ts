import type { Transaction } from '@parley/shared/db';
import type { Audience, DomainEvent } from '@parley/shared/events';
import { settlePreviews } from '@parley/shared/markdown';
import { type HeldMessageRow, loadMessages, type MessageRow } from '../messages/message.sql';
import { renderedAgain } from '../messages/rendered-again';
import type { UploadRow } from './attachment.sql';
import { toMarkdownUpload } from './preview-facts';
import { listSettledBehind, lockWaiting, setRendered, type WaitingMessage } from './thumbnails.sql';

type AudienceOf = (message: HeldMessageRow) => Audience;

/** Puts a picture whose thumbnails are settled where messages hold its place. Answers what is to be announced. */
export async function showSettled(
  tx: Transaction,
  realmId: number,
  upload: UploadRow,
  audienceOf: AudienceOf,
  nowMs: number,
): Promise<DomainEvent[]> {
  return showIn(tx, await lockWaiting(tx, realmId, upload.id), { realmId, upload, audienceOf, nowMs });
}

async function showIn(
  tx: Transaction,
  messages: readonly WaitingMessage[],
  { realmId, upload, audienceOf, nowMs }: { realmId: number; upload: UploadRow; audienceOf: AudienceOf; nowMs: number },
): Promise<DomainEvent[]> {
  if (messages.length === 0) return [];
  const waiting = new Map(messages.map((message) => [message.messageId, message]));
  const picture = toMarkdownUpload(upload);
  const shown = (await loadMessages(tx, realmId, [...waiting.keys()], upload.ownerId))
    .map((message) => ({ message, renderedContent: settlePreviews(message.renderedContent, picture) }))
    // Some wait for other pictures alone.
    .filter(({ message, renderedContent }) => renderedContent !== message.renderedContent);
  const contentOf = ({ message, renderedContent }: { message: MessageRow; renderedContent: string }) =>
    [message.id, renderedContent] as const;
  await setRendered(tx, realmId, new Map(shown.map(contentOf)));
  return shown.map(({ message, renderedContent }) => {
    const mentioned = waiting.get(message.id) as WaitingMessage;
    return renderedAgain(realmId, message, { renderedContent, mentioned, audience: audienceOf(message), nowMs });
  });
}

/** A message that was just stored, in the same transaction, with all files that it links to. */
export interface LinkingMessage {
  realmId: number;
  messageId: number;
  attachmentIds: readonly number[];
  /** Who is told how it looks. */
  audience: Audience;
  nowMs: number;
}

/**
 * The same for one message that was just stored: between its rendering and now, thumbnails may have been settled that were then
 * still being made, and whoever settled them did not see it. The files are locked, or the message is, so that nobody does so later unseen.
 */
export async function showSettledBehind(tx: Transaction, message: LinkingMessage): Promise<DomainEvent[]> {
  const { realmId, messageId, attachmentIds, audience, nowMs } = message;
  if (attachmentIds.length === 0) return [];
  const events: DomainEvent[] = [];
  for (const upload of await listSettledBehind(tx, realmId, messageId, attachmentIds)) {
    const waiting = await lockWaiting(tx, realmId, upload.id, messageId);
    events.push(...(await showIn(tx, waiting, { realmId, upload, audienceOf: () => audience, nowMs })));
  }
  return events;
}
