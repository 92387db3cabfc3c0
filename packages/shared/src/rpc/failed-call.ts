import { PublicError, ServiceUnavailableError } from '../errors';
import type { Logger } from '../observability';
import { noteFailure } from '../observability';
import type { Call } from './call';

/** What a caller may know of a failed call: null for a bug, which is only logged, as is what keeps the service from working. */
export function publicErrorOf(error: unknown, method: string, { requestId }: Call, log: Logger): PublicError | null {
  noteFailure(error);
  const isPublic = error instanceof PublicError;
  if (!isPublic) log.error({ err: error, method, requestId }, 'call failed');
  else if (error instanceof ServiceUnavailableError) log.warn({ err: error.cause, method, requestId }, 'call failed');
  return isPublic ? error : null;
}
