import type { ResumeImportedRequest, ResumeImportedResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { insertMissingJobs } from './archive.sql';

/** Time until the import is finished: jobs that fall due in a closed organization fail. */
const OPENING_MS = 60_000;

/** Creates jobs for imported scheduled messages and reminders; failed messages stay failed. */
export async function resumeImported(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { realmId }: ResumeImportedRequest,
): Promise<ResumeImportedResponse> {
  await insertMissingJobs(db, realmId, clock.now() + OPENING_MS);
  return {};
}
