import { PublicError } from '@parley/shared/errors';
import type { ClaimedJob } from '@parley/shared/jobs';
import { type Caller, newCall } from '@parley/shared/rpc';

const SEND_TIMEOUT_MS = 8_000;

/** Longer than it takes to send something and to note what became of it. */
export const SEND_LEASE_MS = 20_000;

/** In whose name a job sends. */
export function sendingCaller(realmId: number, userId: number): Caller {
  return { ...newCall(undefined, SEND_TIMEOUT_MS), realmId, userId };
}

/** A fault that nobody knows is tried so often, then it is given up. */
const MAX_ATTEMPTS = 5;

/** Why something cannot be sent; throws what is to be tried again, as a service is away for instance. */
export function failureOrThrow(error: unknown, { attempts }: Pick<ClaimedJob, 'attempts'>): string {
  if (error instanceof PublicError && error.httpStatus < 500) return error.message;
  if (error instanceof PublicError || attempts < MAX_ATTEMPTS) throw error;
  return 'Internal server error';
}
