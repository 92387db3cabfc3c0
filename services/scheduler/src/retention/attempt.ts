import { ServiceUnavailableError } from '@parley/shared/errors';
import type { Logger } from '@parley/shared/service';

/** Does some of the work, which tells whether it is complete; false, and logged, when it fails. */
export async function attempt(
  log: Logger,
  told: { realmId?: number; what?: string },
  work: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    const level = error instanceof ServiceUnavailableError ? 'warn' : 'error';
    log[level]({ ...told, err: error }, 'what is kept no longer could not be deleted, and is tried again');
    return false;
  }
}
