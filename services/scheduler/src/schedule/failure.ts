import { PublicError } from '@parley/shared/errors';
import type { ClaimedJob } from '../due-jobs';

/** A fault that nobody knows is tried so often, then it is given up. */
const MAX_ATTEMPTS = 5;

/** Why something cannot be sent; throws what is to be tried again, as a service is away for instance. */
export function failureOrThrow(error: unknown, { attempts }: Pick<ClaimedJob, 'attempts'>): string {
  if (error instanceof PublicError && error.httpStatus < 500) return error.message;
  if (error instanceof PublicError || attempts < MAX_ATTEMPTS) throw error;
  return 'Internal server error';
}
