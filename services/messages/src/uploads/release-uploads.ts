import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import { lockAttachments } from './attachment.sql';
import { changedAttachments } from './claim-uploads';
import { deleteLinks, letUnusedExpire, listLinked } from './link.sql';
import { UNUSED_LIFETIME_MS } from './upload-lifetimes';

/** Messages are about to be deleted: they link to no files any more. Answers what is to be announced, last in the same transaction. */
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
