import { type Caller, newCall } from '@parley/shared/rpc';

const SEND_TIMEOUT_MS = 8_000;

/** Longer than it takes to send something and to note what became of it. */
export const SEND_LEASE_MS = 20_000;

/** In whose name a job sends. */
export function sendingCaller(realmId: number, userId: number): Caller {
  return { ...newCall(undefined, SEND_TIMEOUT_MS), realmId, userId };
}
