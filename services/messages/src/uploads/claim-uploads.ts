import type { Transaction } from '@parley/shared/db';
import { attachmentChanged, type DomainEvent } from '@parley/shared/events';
import { findSpace, loadAttachments, lockAttachments } from './attachment.sql';
import { insertLinks } from './link.sql';
import { showSettledBehind } from './show-settled';

/**
 * Lets a message that was just stored link to files its author may have (findUploads). Answers what is to be announced, last in the
 * same transaction.
 */
export async function claimUploads(
  tx: Transaction,
  realmId: number,
  messageId: number,
  attachmentIds: readonly number[],
  nowMs: number,
): Promise<DomainEvent[]> {
  if (attachmentIds.length === 0) return [];
  await lockAttachments(tx, realmId, attachmentIds);
  await insertLinks(tx, realmId, messageId, attachmentIds);
  const changed = await changedAttachments(tx, realmId, attachmentIds);
  return [...changed, ...(await showSettledBehind(tx, realmId, messageId, attachmentIds, nowMs))];
}

/** What the owners of the files are told, once other messages than before link to them. */
export async function changedAttachments(
  tx: Transaction,
  realmId: number,
  attachmentIds: readonly number[],
): Promise<DomainEvent[]> {
  const owned = await loadAttachments(tx, realmId, attachmentIds);
  const uploadSpaceUsed = await findSpace(tx, realmId);
  return owned.map((facts) => attachmentChanged(realmId, { ...facts, uploadSpaceUsed }));
}
