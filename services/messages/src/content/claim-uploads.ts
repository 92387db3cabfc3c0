// Uploaded files: the gateway keeps the bytes; the rows here say who uploaded a file and which messages link to it. A message claims the files it links to
// in its own transaction, but only those that its author may have: linking gives access, so guessing an address must not. Users who may read
// one of those messages may have the file. A file without links expires after five weeks; one that a scheduled message will link to, five weeks after
// its time (kept_until). A picture without thumbnails is rendered as a placeholder, and rendered again when they are ready (thumbnails.ts).
// Quotas (upload_quota) hold for all, or for one organization or account; the statement that sums the used space reads them, too.

import type { Transaction } from '@parley/shared/db';
import { attachmentChanged, type DomainEvent } from '@parley/shared/events';
import type { Attachment } from '@parley/shared/proto';
import { findSpace, loadAttachments, lockAttachments } from '../uploads/attachment.sql';
import { deleteLinks, insertLinks, letUnusedExpire, listLinked } from '../uploads/link.sql';
import { UNUSED_LIFETIME_MS } from '../uploads/resumable-uploads';
import { type LinkingMessage, showSettledBehind } from './thumbnails';

/**
 * Links a message that was just stored to those files that its author may read (findUploads). Returns the events to announce,
 * last in the same transaction.
 */
export async function claimUploads(tx: Transaction, message: LinkingMessage): Promise<DomainEvent[]> {
  const { realmId, messageId, attachmentIds } = message;
  if (attachmentIds.length === 0) return [];
  await lockAttachments(tx, realmId, attachmentIds);
  await insertLinks(tx, realmId, messageId, attachmentIds);
  const changed = await changedAttachments(tx, realmId, attachmentIds);
  return [...changed, ...(await showSettledBehind(tx, message))];
}

/** Events for the owners of files whose linking messages have changed. */
async function changedAttachments(
  tx: Transaction,
  realmId: number,
  attachmentIds: readonly number[],
): Promise<DomainEvent[]> {
  const owned = await loadAttachments(tx, realmId, attachmentIds);
  const { bytes: uploadSpaceUsed } = await findSpace(tx, realmId);
  return owned.map((facts) => attachmentChanged(realmId, { ...facts, uploadSpaceUsed }));
}

/** Removes the links of messages that are about to be deleted. Returns the events to announce, last in the same transaction. */
export async function releaseUploads(
  tx: Transaction,
  realmId: number,
  messageIds: readonly number[],
  nowMs: number,
): Promise<DomainEvent[]> {
  const attachmentIds = await listLinked(tx, realmId, messageIds);
  if (attachmentIds.length === 0) return [];
  await lockAttachments(tx, realmId, attachmentIds);
  await deleteLinks(tx, realmId, messageIds, attachmentIds);
  await letUnusedExpire(tx, realmId, attachmentIds, nowMs + UNUSED_LIFETIME_MS);
  return changedAttachments(tx, realmId, attachmentIds);
}

/** All files that the message links to after the change. */
interface Replacement extends LinkingMessage {
  /** The message's author, whose files may become unused. */
  authorId: number;
}

export interface Replaced {
  /** Files of the author that no message links to any more. */
  detached: Attachment[];
  /** To be announced, last in the same transaction. */
  events: DomainEvent[];
}

/** Replaces a message's links to files after an edit of its content. */
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
