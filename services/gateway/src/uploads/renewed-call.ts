import { type Caller, newCall } from '@parley/shared/rpc';

/** A call with a new deadline, for requests after the upload of bytes, which may take longer than a call may last. */
export function renewedCall({ requestId, realmId, userId }: Caller): Caller {
  return { ...newCall(requestId), realmId, userId };
}
