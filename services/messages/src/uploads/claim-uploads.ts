import type { Transaction } from '@parley/shared/db';
import { attachmentChanged, type DomainEvent } from '@parley/shared/events';
import { findSpace, loadAttachments, lockAttachments } from './attachment.sql';
import { insertLinks } from './link.sql';
import { type LinkingMessage, showSettledBehind } from './show-settled';

/**
 * Lets a message that was just stored link to files its author may have (findUploads). Answers what is to be announced, last in the
 * same transaction.
 */
export async function claimUploads(tx: Transaction, message: LinkingMessage): Promise<DomainEvent[]> {
  const { realmId, messageId, attachmentIds } = message;
  if (attachmentIds.length === 0) return [];
  await lockAttachments(tx, realmId, attachmentIds);
  await insertLinks(tx, realmId, messageId, attachmentIds);
  const changed = await changedAttachments(tx, realmId, attachmentIds);
  return [...changed, ...(await showSettledBehind(tx, message))];
}

/** What the owners of the files are told, once other messages than before link to them. */
export async function changedAttachments(
  tx: Transaction,
  realmId: number,
  attachmentIds: readonly number[],
): Promise<DomainEvent[]> {
  const owned = await loadAttachments(tx, realmId, attachmentIds);
  const { bytes: uploadSpaceUsed } = await findSpace(tx, realmId);
  return owned.map((facts) => attachmentChanged(realmId, { ...facts, uploadSpaceUsed }));
}
