import type { ResumeImportedRequest, ResumeImportedResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { insertMissingJobs } from './archive.sql';

/** Until then the import is finished: what falls due while its organization is closed fails. */
const OPENING_MS = 60_000;

/** Has scheduled messages and reminders that were imported sent when they are due; those that have failed wait for their authors. */
export async function resumeImported(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { realmId }: ResumeImportedRequest,
): Promise<ResumeImportedResponse> {
  await insertMissingJobs(db, realmId, clock.now() + OPENING_MS);
  return {};
}
