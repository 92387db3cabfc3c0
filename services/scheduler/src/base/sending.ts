import { PublicError } from '@parley/shared/errors';
import type { ClaimedJob } from '@parley/shared/jobs';
import { type Caller, newCall } from '@parley/shared/rpc';

const SEND_TIMEOUT_MS = 8_000;

/** Longer than sending and storing the outcome take. */
export const SEND_LEASE_MS = 20_000;

/** The caller in whose name a job sends. */
export function sendingCaller(realmId: number, userId: number): Caller {
  return { ...newCall(undefined, SEND_TIMEOUT_MS), realmId, userId };
}

/** Attempts after unexpected errors, before giving up. */
const MAX_ATTEMPTS = 5;

/** The reason why something cannot be sent; rethrows errors after which a retry helps, such as an unreachable service. */
export function failureOrThrow(error: unknown, { attempts }: Pick<ClaimedJob, 'attempts'>): string {
  if (error instanceof PublicError && error.httpStatus < 500) return error.message;
  if (error instanceof PublicError || attempts < MAX_ATTEMPTS) throw error;
  return 'Internal server error';
}
