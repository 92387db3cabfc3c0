import type { Purged } from '@parley/shared/proto';
import { deleteOldAnswers } from '@parley/shared/request-keys';
import type { Context } from '../context';
import {
  deleteEndedLinks,
  deleteEndedInvitations as deleteInvitations,
  deleteOldCounts,
} from './ended-invitations.sql';

/** For so long it can be looked up what became of an invitation. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
const BATCH_SIZE = 1_000;

/**
 * Forgets a batch of the invitations and links that ended a month ago, with their keys and mails, and of the answers that nobody is
 * given again. Nobody can tell: they were listed no more.
 */
export async function deleteEndedInvitations({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<Purged> {
  const beforeMs = clock.now() - KEPT_MS;
  await deleteOldCounts(db, beforeMs);
  const counts = [
    await deleteInvitations(db, beforeMs, BATCH_SIZE),
    await deleteEndedLinks(db, beforeMs, BATCH_SIZE),
    await deleteOldAnswers({ db, clock }, BATCH_SIZE),
  ];
  const deleted = counts.reduce((sum, count) => sum + count);
  return { deleted, isComplete: deleted === 0 };
}
