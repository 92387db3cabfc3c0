import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import type { Attachment } from '@parley/shared/proto';
import { loadAttachments, lockAttachments } from './attachment.sql';
import { changedAttachments } from './claim-uploads';
import { deleteLinks, insertLinks, letUnusedExpire, listLinked } from './link.sql';
import { type LinkingMessage, showSettledBehind } from './show-settled';
import { UNUSED_LIFETIME_MS } from './upload-lifetimes';

/** All files that the message links to from now on. */
export interface Replacement extends LinkingMessage {
  /** Whose files may turn out detached: the message's author. */
  authorId: number;
}

export interface Replaced {
  /** Files of the author's that no message links to any more. */
  detached: Attachment[];
  /** To be announced, last in the same transaction. */
  events: DomainEvent[];
}

/** After an edit of its content a message links to these files and to no others. */
export async function replaceUploads(tx: Transaction, replacement: Replacement): Promise<Replaced> {
  const { detached, events } = await replaceLinks(tx, replacement);
  return { detached, events: [...events, ...(await showSettledBehind(tx, replacement))] };
}

async function replaceLinks(tx: Transaction, replacement: Replacement): Promise<Replaced> {
  const { realmId, messageId, authorId, attachmentIds, nowMs } = replacement;
  const before = await listLinked(tx, realmId, [messageId]);
  const added = attachmentIds.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !attachmentIds.includes(id));
  if (added.length + removed.length === 0) return { detached: [], events: [] };
  await lockAttachments(tx, realmId, [...added, ...removed]);
  if (added.length > 0) await insertLinks(tx, realmId, messageId, added);
  if (removed.length > 0) await deleteLinks(tx, realmId, [messageId], removed);
  const unusedIds = removed.length > 0 ? await letUnusedExpire(tx, realmId, removed, nowMs + UNUSED_LIFETIME_MS) : [];
  const unused = unusedIds.length > 0 ? await loadAttachments(tx, realmId, unusedIds) : [];
  return {
    detached: unused.filter(({ ownerId }) => ownerId === authorId).map(({ attachment }) => attachment),
    events: await changedAttachments(tx, realmId, [...added, ...removed]),
  };
}
