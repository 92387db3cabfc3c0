import { type Caller, newCall } from '@parley/shared/rpc';

/** A call with a new deadline, for requests after an upload, which may take longer than a call's time limit. */
export function renewedCall({ requestId, realmId, userId }: Caller): Caller {
  return { ...newCall(requestId), realmId, userId };
}
